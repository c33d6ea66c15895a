// Turns one HTTP response of an OpenAI-like server into an Answer: a stream, a whole document, an
// error or nothing at all, told apart by what comes and not by what the headers promise.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "model/http_client.h"
#include "model/model.h"

namespace fathom {

struct AnswerReaderSettings {
  int64_t prompt_tokens = 0;                  // for progress and the idle limit
  int64_t idle_timeout_ms = 0;                // 0: from the prompt's length (docs/models.md)
  std::string key;                            // never shown, even where the server quotes it
  std::atomic<int64_t>* processed = nullptr;  // prompt tokens done are added here
};

// `done` is called once, on the I/O thread.
[[nodiscard]] std::shared_ptr<HttpReader> make_answer_reader(AnswerReaderSettings settings,
                                                             std::function<void(Answer)> done);

// `text` with every occurrence of `key` replaced. Keys shorter than four bytes are placeholders
// that occur in words; they stay.
[[nodiscard]] std::string without_key(std::string text, const std::string& key);

}  // namespace fathom
