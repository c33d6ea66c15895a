// Any bytes as a recording, with a hash that fits: refused with words, or read, written back to the
// same recording and replayed; never a crash, never memory without bound.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>

#include "attention/recording.h"
#include "attention/replay.h"
#include "base/hash.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  bytes += fathom::hash_hex(bytes);
  const auto recording = fathom::recording_from_bytes(bytes, "fuzz");
  if (!recording) {
    if (!recording.error().message.starts_with("fuzz")) std::abort();
    return 0;
  }
  const auto again = fathom::recording_from_bytes(fathom::recording_bytes(*recording), "again");
  if (!again || *again != *recording) std::abort();
  using enum fathom::SelectorKind;
  constexpr fathom::SelectorKind kKinds[] = {kQuest, kSnapKv, kTova,          kMoba,
                                             kBm25,  kH2o,    kVerticalSlash, kMassOracle};
  fathom::AttentionArm arm{.name = "tried"};
  arm.options = {.kind = kKinds[size % std::size(kKinds)], .budget = 8, .block = 4, .window = 1};
  arm.options.observed = 2;
  const auto log = fathom::replay(*recording, arm);
  if (log && log->selections.size() !=
                 recording->layers.size() *
                     static_cast<size_t>(recording->positions() - recording->context_tokens))
    std::abort();
  return 0;
}
