// A prompt put together from its parts, with the place of each part.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/span.h"
#include "suite/chat_template.h"
#include "task/sample.h"

namespace fathom {

// The text around the user's message; both empty where there is no chat template.
struct ChatWrapper {
  std::string before;
  std::string after;                 // through the header of the answer
  std::vector<SampleMessage> prior;  // earlier messages (system …) inside `before`
  bool add_special = true;           // the tokenizer adds BOS and the like itself

  [[nodiscard]] static ChatWrapper none() { return {}; }
  [[nodiscard]] static ChatWrapper of(const TemplateWrap& wrap);
  [[nodiscard]] bool empty() const { return before.empty() && after.empty(); }
};

// The fixed text around a context.
struct PromptFrame {
  std::string head;           // template, demonstration, instruction: up to the context
  std::string tail;           // question, template: from the context to the end of the prompt
  std::string answer_prefix;  // with the space that joins it to what stands before it
  ByteSpan user;              // the user's message, as if the context were empty
  std::vector<SampleMessage> prior;
};

// Without a template the answer prefix follows the prompt after one space.
[[nodiscard]] PromptFrame make_frame(const std::string& before, const std::string& after,
                                     const std::string& answer_prefix, const ChatWrapper& wrapper);

}  // namespace fathom
