#include "suite/prompt.h"

namespace fathom {
namespace {

// An answer continues the line of a header that does not end it: "[/INST] The …", "Answer: …".
bool wants_space(const std::string& before) {
  if (before.empty()) return false;
  const char last = before.back();
  return last != ' ' && last != '\n' && last != '\t' && last != '>';
}

}  // namespace

ChatWrapper ChatWrapper::of(const TemplateWrap& wrap) {
  return {wrap.before, wrap.after, wrap.prior, !wrap.writes_bos};
}

PromptFrame make_frame(const std::string& before, const std::string& after,
                       const std::string& answer_prefix, const ChatWrapper& wrapper) {
  PromptFrame frame;
  frame.head = wrapper.before + before;
  frame.tail = after + wrapper.after;
  if (!answer_prefix.empty()) {
    const bool space = wrapper.empty() || wants_space(frame.tail);
    frame.answer_prefix = (space ? " " : "") + answer_prefix;
  }
  frame.user = {wrapper.before.size(), wrapper.before.size() + before.size() + after.size()};
  frame.prior = wrapper.prior;
  return frame;
}

}  // namespace fathom
