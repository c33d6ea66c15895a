// The model's own chat template, rendered as the model's own Jinja would (G9): llama.cpp's Jinja
// engine with the globals that Hugging Face gives its templates, and with limits that end hostile
// ones.
//
// Where the engine differs from Python's Jinja2: case changes and slices of non-ASCII text work on
// bytes, and reading a member of something undefined gives nothing where Python raises. wrap()
// checks what matters for a prompt.
//
//   TRY(const ChatTemplate chat, ChatTemplate::load("tokenizer_config.json"));
//   TRY(const TemplateWrap wrap, chat.wrap({}, {}));
//   std::string prompt = wrap.before + question + wrap.after;
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/span.h"
#include "task/parameters.h"
#include "task/sample.h"

namespace fathom {

struct TemplateMessage {
  MessageRole role = MessageRole::kUser;
  std::string content;
  bool operator==(const TemplateMessage&) const = default;
};

// What a template is made from.
struct TemplateSource {
  std::string text;       // Jinja
  std::string bos_token;  // texts that the template may refer to; empty: none
  std::string eos_token;
  std::map<std::string, std::string> other_tokens;  // "pad_token" → text …
  std::string origin;                               // for messages: path, or "model"
};

struct RenderOptions {
  bool add_generation_prompt = true;
  std::map<std::string, ParameterValue> variables = {};  // e.g. enable_thinking
  std::string date =
      "2026-01-01";  // what strftime_now() and the like see, so that bytes are reproducible
};

// The text around the last user message.
struct TemplateWrap {
  std::string before;                // ends where the user's content begins
  std::string after;                 // up to where the answer begins
  std::vector<SampleMessage> prior;  // spans of the earlier messages' contents in `before`; those
                                     // the template changed are left out
  bool writes_bos =
      false;  // `before` starts with the BOS token: the tokenizer must not add another
  bool trims_start = false;  // the template strips white space from the start of the content
  bool trims_end = false;

  // The content as the template would place it: white space stripped as above.
  [[nodiscard]] std::string content(const std::string& text) const;
  bool operator==(const TemplateWrap&) const = default;
};

// Thread-safe: immutable after loading.
class ChatTemplate {
 public:
  // A GGUF file (tokenizer.chat_template), a tokenizer_config.json or a folder that holds one (with
  // its chat_template.jinja), or a Jinja file; `name` picks one of several named templates
  // ("default" where empty). Errors: kIo; kInput where there is no template or it does not parse.
  [[nodiscard]] static Result<ChatTemplate> load(const std::string& path,
                                                 const std::string& name = "");
  [[nodiscard]] static Result<ChatTemplate> from_source(TemplateSource source);

  // The whole conversation. Errors: kInput, with what the template raised (raise_exception) or the
  // limit it ran into.
  [[nodiscard]] Result<std::string> render(const std::vector<TemplateMessage>& messages,
                                           const RenderOptions& options) const;

  // Found by rendering with probes in the user's place and verified with others. `prior`: messages
  // before the user's (system, earlier turns). Errors: as render(); kInput where the template
  // changes or repeats the content, so that no fixed text stands around it.
  [[nodiscard]] Result<TemplateWrap> wrap(const std::vector<TemplateMessage>& prior,
                                          const RenderOptions& options) const;

  [[nodiscard]] const TemplateSource& source() const;
  [[nodiscard]] std::string hash() const;  // of the text and its tokens

 private:
  struct Program;
  explicit ChatTemplate(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

}  // namespace fathom
