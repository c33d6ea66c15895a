#include "tokenizer/split_pcre2.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>

#include "tokenizer/unicode_classes.h"

namespace fathom {

namespace {

struct FreeCode {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct FreeMatch {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
struct FreeContext {
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};
struct FreeStack {
  void operator()(pcre2_jit_stack* stack) const { pcre2_jit_stack_free(stack); }
};

using Code = std::unique_ptr<pcre2_code, FreeCode>;

// What one thread needs to match; pcre2_code itself is shared.
struct MatchState {
  std::unique_ptr<pcre2_match_data, FreeMatch> data{pcre2_match_data_create(1, nullptr)};
  std::unique_ptr<pcre2_match_context, FreeContext> context{pcre2_match_context_create(nullptr)};
  std::unique_ptr<pcre2_jit_stack, FreeStack> stack{
      pcre2_jit_stack_create(size_t{32} << 10, size_t{8} << 20, nullptr)};

  MatchState() { pcre2_jit_stack_assign(context.get(), nullptr, stack.get()); }
};

class Pcre2Rule final : public SplitRule {
 public:
  explicit Pcre2Rule(Code code) : code_(std::move(code)) {}

  size_t split(std::string_view text, ByteSpan range, size_t position, size_t* ends,
               size_t max) const override {
    thread_local MatchState state;
    const std::string_view subject = text.substr(range.begin, range.end - range.begin);
    size_t n = 0;
    size_t at = position - range.begin;
    while (n < max && at < subject.size()) {
      const Found found = find(subject, at, state);
      if (found.first > at) {
        ends[n++] = range.begin + found.first;
        at = found.first;
        if (n == max) break;
      }
      if (found.last > at) {
        ends[n++] = range.begin + found.last;
        at = found.last;
      }
    }
    return n;
  }

 private:
  struct Found {
    size_t first = 0;
    size_t last = 0;  // first == last == size of the subject: no match
  };

  // The first non-empty match at or after `from`, or an empty one after it (which still ends the
  // piece before it).
  Found find(std::string_view subject, size_t from, MatchState& state) const {
    size_t start = from;
    while (start < subject.size()) {
      const int rc =
          pcre2_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(subject.data()), subject.size(),
                      start, PCRE2_NO_UTF_CHECK, state.data.get(), state.context.get());
      if (rc < 0) break;
      const PCRE2_SIZE* match = pcre2_get_ovector_pointer(state.data.get());
      if (match[1] > match[0] || match[0] > from) return {match[0], match[1]};
      const auto* p = reinterpret_cast<const uint8_t*>(subject.data());
      start += decode_code_point(p + start, p + subject.size()).bytes;
    }
    return {subject.size(), subject.size()};
  }

  Code code_;
};

}  // namespace

Result<std::unique_ptr<SplitRule>> make_pcre2_rule(const std::string& pattern) {
  int number = 0;
  PCRE2_SIZE offset = 0;
  Code code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                          PCRE2_UTF | PCRE2_UCP, &number, &offset, nullptr));
  if (!code) {
    std::array<PCRE2_UCHAR, 256> message{};
    pcre2_get_error_message(number, message.data(), message.size());
    return fail(ErrorCode::kInput, "split pattern \"{}\": {} at byte {}", pattern,
                reinterpret_cast<const char*>(message.data()), offset);
  }
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);  // without JIT pcre2_match interprets
  return std::make_unique<Pcre2Rule>(std::move(code));
}

}  // namespace fathom
