#include "tokenizer/unicode_classes.h"

#include <cstring>
#include <vector>

namespace fathom {

namespace {

std::vector<uint8_t> expand_runs() {
  std::vector<uint8_t> classes(0x110000);
  for (size_t i = 0; i < kUnicodeClassRunCount; ++i) {
    const size_t first = kUnicodeClassRuns[i] >> 8;
    const size_t end =
        i + 1 < kUnicodeClassRunCount ? kUnicodeClassRuns[i + 1] >> 8 : classes.size();
    std::memset(classes.data() + first, static_cast<int>(kUnicodeClassRuns[i] & 0xFF), end - first);
  }
  return classes;
}

}  // namespace

const uint8_t* unicode_classes() {
  static const std::vector<uint8_t> classes = expand_runs();
  return classes.data();
}

}  // namespace fathom
