#include "tokenizer/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>

#include "text/utf8.h"

namespace fathom {

struct Regex::Code {
  explicit Code(pcre2_code* compiled) : code(compiled) {}
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code() { pcre2_code_free(code); }
  pcre2_code* code;
};

Result<Regex> Regex::compile(const std::string& pattern) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                   PCRE2_UTF | PCRE2_UCP, &error, &offset, nullptr);
  if (code == nullptr) {
    std::array<PCRE2_UCHAR, 256> message{};
    pcre2_get_error_message(error, message.data(), message.size());
    return fail(ErrorCode::kInput, "the regular expression '{}' does not compile at byte {}: {}",
                pattern, offset, reinterpret_cast<const char*>(message.data()));
  }
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // where the machine has no JIT the interpreter runs
  return Regex(std::make_shared<Code>(code));
}

void Regex::find(std::string_view text,
                 const std::function<void(size_t begin, size_t end)>& match) const {
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> data(
      pcre2_match_data_create_from_pattern(code_->code, nullptr), pcre2_match_data_free);
  for (size_t at = 0; at <= text.size();) {
    const int found = pcre2_match(code_->code, reinterpret_cast<PCRE2_SPTR>(text.data()),
                                  text.size(), at, PCRE2_NO_UTF_CHECK, data.get(), nullptr);
    if (found < 0) return;
    const PCRE2_SIZE* bounds = pcre2_get_ovector_pointer(data.get());
    const size_t begin = bounds[0];
    const size_t end = bounds[1];
    if (end < begin) return;  // \K inside a look-behind
    match(begin, end);
    at = end;
    if (begin == end) at += at < text.size() ? utf8_size(text[at]) : 1;
  }
}

}  // namespace fathom
