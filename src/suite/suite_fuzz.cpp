// Any bytes as a suite file, and as a chat template: refused by an error or accepted, never a crash
// or a hang.
#include <cstddef>
#include <cstdint>
#include <string>

#include "suite/chat_template.h"
#include "suite/fake_catalog.h"
#include "suite/suite.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0 || size > 20'000) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 4 != 0) {
    const auto suite = fathom::parse_suite(text, "fuzz.yaml", {}, fathom::fake_catalog());
    if (suite) (void)suite->hash();
    return 0;
  }
  const auto chat = fathom::ChatTemplate::from_source({text, "<s>", "</s>", {}, "fuzz"});
  if (chat) (void)chat->wrap({{fathom::MessageRole::kSystem, "s"}}, {});
  return 0;
}
