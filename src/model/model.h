// The seam to every model: what it can do, one request in, one reply or failure out. Providers
// translate words to this vocabulary and nothing else; retry, limits, order and resume live once,
// in run/.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "attention/arm.h"
#include "attention/selection_log.h"
#include "base/result.h"
#include "base/span.h"

namespace fathom {

struct AttentionRecording;  // attention/recording.h

struct ChatMessage {
  std::string role;  // "system", "user", "assistant"
  std::string content;
  bool operator==(const ChatMessage&) const = default;
};

// How the start of the answer reaches the model; kept in the result because it changes scores
// (reference: harness derived requirement 4).
enum class PrefixPolicy {
  kInPrompt,   // raw text: the prefix ends the prompt
  kContinue,   // the server continues an assistant message natively
  kInMessage,  // the prefix ends the user's message
  kDropped,    // not sent
};
[[nodiscard]] const char* to_text(
    PrefixPolicy policy);  // "in-prompt", "continue", "in-message", "dropped"

struct Decoding {
  double temperature = 0;  // 0: greedy
  double top_p = 1;
  int64_t seed = 0;
  std::vector<std::string> stop;
  bool operator==(const Decoding&) const = default;
};

// What the right answer is: read by the simulated reader alone, never sent anywhere.
struct AnswerKey {
  std::string task;                     // task name, for accuracy by task
  std::vector<std::string> references;  // the answer's parts, all of them wanted
  int64_t length_tokens = 0;
  double depth = 0.5;     // of the first evidence: 0 = start of the context, 1 = its end
  bool in_prompt = true;  // false: the evidence was left out (a control), so nobody can read it
  bool operator==(const AnswerKey&) const = default;
};

// Where things stand in a prompt. The context is what all arms of a sample share.
struct PromptPlaces {
  size_t context_end = 0;                // bytes up to its end; 0: not known
  std::vector<TokenSpan> evidence = {};  // of the prompt with its answer prefix; no distractors
  bool operator==(const PromptPlaces&) const = default;
};

// What one request needs. Texts are shared, never copied per attempt.
struct Request {
  std::string id;  // sample id, for messages and simulated readers
  std::shared_ptr<const std::string>
      prompt;  // exact text with template, without the answer prefix (completions, in-process)
  std::vector<ChatMessage> messages;  // the same content as chat messages (chat APIs)
  std::string answer_prefix;          // applied by the policy that probe() reported
  bool raw = true;  // the prompt text goes as it is (completions, in-process); false: messages
  bool add_special = true;  // the tokenizer adds BOS and the like to the raw prompt (false where
                            // the template wrote it)
  size_t shared_prefix_bytes =
      0;  // leading bytes of `prompt` that the previous request of the same group shares; 0: none
  int64_t expected_prompt_tokens =
      0;  // by fathom's tokenizer, for the prefix policy in force; 0: unknown
  int64_t max_output_tokens = 0;
  int64_t deadline_ms = 0;  // from sending to the last token; past it kTimedOut. 0: none
  Decoding decoding;
  std::shared_ptr<const AnswerKey> answer_key;  // for simulated readers; may be null elsewhere
  PromptPlaces places;                          // for arms
  std::shared_ptr<const AttentionArm> arm;      // in-process alone; null: ordinary attention
  bool record = false;  // of an arm of full attention: its keys and queries come with the reply
};

// Tokens as the server counted them, normalised: `input` includes cached ones, `output` includes
// thinking. -1: not reported.
struct Usage {
  int64_t input = -1;
  int64_t cached = -1;
  int64_t cache_write = -1;
  int64_t output = -1;
  int64_t thinking = -1;
  bool operator==(const Usage&) const = default;
};

// Memory that an in-process model took for a request, bytes; -1: not known (servers do not say).
struct MemoryUse {
  int64_t kv = -1;    // keys and values of the prompt's and the answer's tokens
  int64_t peak = -1;  // most the process held while it worked on the request
  bool operator==(const MemoryUse&) const = default;
};

enum class StopReason {
  kEnd,
  kLength,
  kFiltered,
  kUnknown
};  // kEnd: end token or stop text; kLength: output limit or window reached
[[nodiscard]] const char* to_text(StopReason reason);  // "end", "length", "filtered", "unknown"

struct Reply {
  std::string text;      // the answer, without the prefix that was given
  std::string thinking;  // kept apart from the answer
  Usage usage;
  StopReason stop = StopReason::kUnknown;
  double first_token_ms = 0;  // from sending to the first token
  double total_ms = 0;
  MemoryUse memory;
  std::string model;                                              // as the server names itself
  std::string request_id;                                         // the server's, for its support
  std::shared_ptr<const SelectionLog> selection = nullptr;        // of an arm: what it read
  std::shared_ptr<const AttentionRecording> recording = nullptr;  // where it was asked for
  bool operator==(const Reply&) const = default;
};

enum class FailureKind {
  kOverWindow,  // rejected: prompt longer than the window
  kRefused,     // content policy
  kOutOfMemory,
  kTimedOut,     // no byte within the idle limit
  kRateLimited,  // retryable
  kTransient,    // 5xx, connection lost, overloaded: retryable
  kPermanent,    // 4xx and whatever retrying cannot mend
  kCancelled,    // stopped by us
};
[[nodiscard]] const char* to_text(FailureKind kind);

struct Failure {
  FailureKind kind = FailureKind::kPermanent;
  std::optional<int64_t> retry_after_ms = std::nullopt;  // the server's wish
  int64_t http_status = 0;
  std::string detail = {};  // one line, no secrets, control bytes removed
  bool operator==(const Failure&) const = default;
};

using Answer = std::variant<Reply, Failure>;

// What the model is and can do, learnt before the first request. 0 / empty: unknown.
struct ModelProfile {
  std::string provider;  // "gguf", "openai", "simulated"
  std::string name;
  std::string version;  // as reported, or the file's hash
  int64_t window_tokens = 0;
  int64_t slots = 0;         // requests it serves at once; 0: no limit known
  bool raw_prompts = false;  // takes the exact text (completions, in-process)
  PrefixPolicy prefix_policy = PrefixPolicy::kInPrompt;
  std::string chat_template;  // Jinja source where the model carries one
  std::string bos_text;       // texts the template may refer to
  std::string eos_text;
  bool reports_prompt_tokens = true;
  std::vector<std::string> notes;  // for people: what was assumed, what could not be learnt
};

// Thread-safe.
class Model {
 public:
  virtual ~Model() = default;
  // Checks reachability, key and model name, and learns the profile. Called once before the first
  // request. Errors: kSetup.
  [[nodiscard]] virtual Result<ModelProfile> probe() = 0;
  // Starts a request and returns at once; `done` is called exactly once, on any thread, also after
  // cancel_all().
  virtual void start(Request request, std::function<void(Answer)> done) = 0;
  // Ends all requests in flight as soon as possible, with kCancelled.
  virtual void cancel_all() = 0;
  // The server's own token count of a raw text; nullopt where it has none.
  [[nodiscard]] virtual Result<std::optional<int64_t>> count_tokens(const std::string& text,
                                                                    bool add_special) = 0;
  // Progress of prefill for long prompts: tokens of the current requests already processed since
  // the start of the run; for live display.
  [[nodiscard]] virtual int64_t processed_prompt_tokens() const = 0;
};

// How a model is named on the command line.
//   "model.gguf"           a GGUF file, in-process
//   "openai/NAME"          OpenAI-compatible; base_url or OPENAI_BASE_URL; key from OPENAI_API_KEY
//   "simulated/PROFILE"    a simulated reader: an embedded profile (weak, strong, perfect) or a
//   YAML file
struct ModelOptions {
  std::string model;
  std::string base_url;  // empty: the provider's environment variable, then its public address
  std::string api;       // "chat" or "completions"; empty: the provider's choice
  std::optional<PrefixPolicy>
      prefix_policy;  // for chats: wins over the provider's choice where the provider can do it
  std::string api_key_variable;  // environment variable that holds the key; empty: the provider's
  int64_t context_tokens = 0;    // in-process: window to allocate; 0: what the plan needs
  int threads = 0;               // in-process: 0 = free cores
  int64_t idle_timeout_ms = 0;   // 0: from the prompt's length
  uint64_t seed = 0;             // simulated reader
};

[[nodiscard]] Result<std::unique_ptr<Model>> open_model(const ModelOptions& options);

}  // namespace fathom
