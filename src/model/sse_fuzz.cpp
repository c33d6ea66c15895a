// Any bytes, cut anywhere, give the same events as in one piece, and the answer reader takes
// whatever they hold.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "model/openai_stream.h"
#include "model/sse.h"

namespace {

std::vector<std::string> events_of(std::string_view bytes, size_t step, bool& fits) {
  constexpr size_t kMost = 4096;
  fathom::SseParser parser(kMost);
  std::vector<std::string> events;
  for (size_t at = 0; at < bytes.size(); at += step)
    fits = parser.feed(bytes.substr(at, step), [&](std::string_view data) {
      events.emplace_back(data);
    }) && fits;
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  bool whole_fits = true;
  bool cut_fits = true;
  const std::vector<std::string> whole = events_of(bytes, bytes.size() + 1, whole_fits);
  const std::vector<std::string> cut = events_of(bytes, 1 + data[0] % 16, cut_fits);
  if (whole != cut || whole_fits != cut_fits) std::abort();

  fathom::OpenAiAnswer answer;
  for (const std::string& event : whole)
    if (answer.add_event(event)) break;
  if (answer.done() && answer.has_output() && answer.incomplete()) std::abort();
  return 0;
}
