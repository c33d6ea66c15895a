// An OpenAI-like answer, put together from the events of a stream or from one whole document.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"

namespace fathom {

// Thread-compatible. Chat and completions alike: delta, message and text are all understood.
class OpenAiAnswer {
 public:
  OpenAiAnswer();
  ~OpenAiAnswer();
  OpenAiAnswer(const OpenAiAnswer&) = delete;
  OpenAiAnswer& operator=(const OpenAiAnswer&) = delete;

  // Takes the data of one event, "[DONE]" included. Returns why the answer failed, once it has.
  [[nodiscard]] std::optional<Failure> add_event(std::string_view data);
  // Takes a whole document (a server that does not stream).
  [[nodiscard]] std::optional<Failure> add_document(std::string_view json) {
    return add_event(json);
  }

  [[nodiscard]] bool has_output() const { return has_output_; }  // some text or thinking came
  [[nodiscard]] bool done() const { return done_; }              // "[DONE]" came: nothing follows
  // Why the answer is not complete; nullopt when it is.
  [[nodiscard]] std::optional<Failure> incomplete() const;
  // Prompt tokens processed so far, where the server tells (llama.cpp).
  [[nodiscard]] int64_t processed_tokens() const { return processed_; }
  // Text, thinking, usage, stop reason and model; timings and request id are the caller's.
  [[nodiscard]] Reply reply() const { return reply_; }

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  Reply reply_;
  bool has_output_ = false;
  bool finished_ = false;  // a finish reason came
  bool done_ = false;
  int64_t processed_ = 0;
};

}  // namespace fathom
