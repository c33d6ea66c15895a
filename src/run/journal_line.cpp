#include "run/journal_line.h"

#include <simdjson.h>

#include <cmath>
#include <utility>

#include "io/json_text.h"

namespace fathom {
namespace {

using Object = simdjson::dom::object;

void add_text(std::string& out, std::string_view key, std::string_view value) {
  out += fmt::format(",\"{}\":", key);
  append_json_text(out, value);
}

// Texts that are mostly empty are left out of the line.
void add_some_text(std::string& out, std::string_view key, std::string_view value) {
  if (!value.empty()) add_text(out, key, value);
}

void add_number(std::string& out, std::string_view key, int64_t value) {
  out += fmt::format(",\"{}\":{}", key, value);
}

void add_ms(std::string& out, std::string_view key, double value) {
  out += fmt::format(",\"{}\":{}", key, std::isfinite(value) ? value : 0.0);
}

constexpr std::pair<const char*, int64_t Usage::*> kUsageKeys[] = {
    {"input", &Usage::input},
    {"cached", &Usage::cached},
    {"cache_write", &Usage::cache_write},
    {"output", &Usage::output},
    {"thinking", &Usage::thinking},
};

std::string usage_json(const Usage& usage) {
  std::string out;
  for (const auto& [key, member] : kUsageKeys)
    if (usage.*member >= 0) add_number(out, key, usage.*member);
  if (!out.empty()) out.erase(0, 1);
  return "{" + out + "}";
}

// Empty where nothing is known.
std::string memory_json(const MemoryUse& memory) {
  std::string out;
  if (memory.kv >= 0) add_number(out, "kv", memory.kv);
  if (memory.peak >= 0) add_number(out, "peak", memory.peak);
  if (out.empty()) return {};
  out.erase(0, 1);
  return ",\"memory\":{" + out + "}";
}

Result<StopReason> stop_from_text(std::string_view text) {
  for (const StopReason reason :
       {StopReason::kEnd, StopReason::kLength, StopReason::kFiltered, StopReason::kUnknown})
    if (text == to_text(reason)) return reason;
  return fail(ErrorCode::kInput, "'{}' is not a stop reason; known: end, length, filtered, unknown",
              text);
}

Result<PrefixPolicy> policy_from_text(std::string_view text) {
  for (const PrefixPolicy policy : {PrefixPolicy::kInPrompt, PrefixPolicy::kContinue,
                                    PrefixPolicy::kInMessage, PrefixPolicy::kDropped})
    if (text == to_text(policy)) return policy;
  return fail(ErrorCode::kInput,
              "'{}' is not a prefix policy; known: in-prompt, continue, in-message, dropped", text);
}

// Reads members of one object; the first wrong one is kept as the error, so that callers check
// once.
class Members {
 public:
  Members(Object object, std::string where) : object_(object), where_(std::move(where)) {}

  std::string text(const char* key, bool required) {
    std::string_view value;
    if (read(key, required, "a string", value)) return std::string(value);
    return {};
  }
  int64_t integer(const char* key, bool required, int64_t fallback) {
    int64_t value = fallback;
    return read(key, required, "a whole number", value) ? value : fallback;
  }
  double number(const char* key) {
    double value = 0;
    return read(key, true, "a number", value) ? value : 0;
  }
  Object object(const char* key) {
    Object value = object_;
    (void)read(key, true, "an object", value);
    return value;
  }
  std::optional<Object> some_object(const char* key) {
    Object value = object_;
    if (read(key, false, "an object", value)) return value;
    return std::nullopt;
  }
  template <typename Value>
  Value word(const char* key, Result<Value> (*from_text)(std::string_view), Value fallback) {
    const std::string value = text(key, true);
    if (error_) return fallback;
    auto parsed = from_text(value);
    if (!parsed) {
      error_ = with_context(parsed.error(), fmt::format("{}: key '{}'", where_, key));
      return fallback;
    }
    return *parsed;
  }
  void refuse(const std::string& what) {
    if (!error_) error_ = Error{ErrorCode::kInput, fmt::format("{}: {}", where_, what)};
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  template <typename Value>
  bool read(const char* key, bool required, std::string_view wanted, Value& value) {
    if (error_) return false;
    const auto found = object_.at_key(key);
    if (found.error() == simdjson::NO_SUCH_FIELD) {
      if (required) refuse(fmt::format("key '{}' is missing", key));
      return false;
    }
    if (found.get(value) == simdjson::SUCCESS) return true;
    refuse(fmt::format("key '{}' must be {}", key, wanted));
    return false;
  }

  Object object_;
  std::string where_;
  std::optional<Error> error_;
};

}  // namespace

struct JournalLineParser::State {
  simdjson::dom::parser parser;
  simdjson::padded_string padded;

  Result<Object> object(std::string_view line, const std::string& where) {
    simdjson::dom::element element;
    const auto error = parser.parse(line.data(), line.size(), true).get(element);
    if (error != simdjson::SUCCESS)
      return fail(
          ErrorCode::kInput,
          "{}: not valid JSON ({}); the line was damaged after it was written, remove it to "
          "have its attempt made again",
          where, simdjson::error_message(error));
    Object object;
    if (element.get(object) != simdjson::SUCCESS)
      return fail(ErrorCode::kInput, "{}: must be an object", where);
    return object;
  }
};

JournalLineParser::JournalLineParser() : state_(std::make_unique<State>()) {}
JournalLineParser::JournalLineParser(JournalLineParser&&) noexcept = default;
JournalLineParser::~JournalLineParser() = default;

std::string to_journal_line(const JournalHeader& header) {
  std::string out = fmt::format("{{\"fathom_journal\":{}", header.version);
  add_text(out, "run", header.run_id);
  return out + "}";
}

std::string to_journal_line(const Attempt& attempt) {
  std::string out = "{\"sample\":";
  append_json_text(out, attempt.sample_id);
  add_text(out, "hash", attempt.sample_hash);
  add_number(out, "attempt", attempt.number);
  add_text(out, "outcome", to_text(attempt.outcome));
  add_text(out, "text", attempt.reply.text);
  add_some_text(out, "thinking", attempt.reply.thinking);
  out += ",\"usage\":" + usage_json(attempt.reply.usage);
  add_text(out, "stop", to_text(attempt.reply.stop));
  add_ms(out, "first_token_ms", attempt.reply.first_token_ms);
  add_ms(out, "total_ms", attempt.reply.total_ms);
  out += memory_json(attempt.reply.memory);
  add_some_text(out, "model", attempt.reply.model);
  add_some_text(out, "request_id", attempt.reply.request_id);
  add_some_text(out, "detail", attempt.detail);
  add_number(out, "tries", attempt.tries);
  add_number(out, "expected_prompt_tokens", attempt.expected_prompt_tokens);
  add_text(out, "prefix_policy", to_text(attempt.prefix_policy));
  add_number(out, "started_unix_ms", attempt.started_unix_ms);
  return out + "}";
}

Result<JournalHeader> JournalLineParser::header(std::string_view line, const std::string& where) {
  TRY(const Object object, state_->object(line, where));
  Members members(object, where);
  JournalHeader header;
  header.version = members.integer("fathom_journal", true, 0);
  header.run_id = members.text("run", true);
  if (header.version != 1)
    members.refuse(
        fmt::format("this is not a journal that this fathom reads (version {})", header.version));
  if (members.error()) return fail(*members.error());
  return header;
}

Result<Attempt> JournalLineParser::attempt(std::string_view line, const std::string& where) {
  TRY(const Object object, state_->object(line, where));
  Members members(object, where);
  Attempt attempt;
  attempt.sample_id = members.text("sample", true);
  attempt.sample_hash = members.text("hash", true);
  attempt.number = members.integer("attempt", true, 0);
  attempt.outcome = members.word("outcome", outcome_from_text, Outcome::kErrorPermanent);
  attempt.reply.text = members.text("text", true);
  attempt.reply.thinking = members.text("thinking", false);
  Members usage(members.object("usage"), where + ": usage");
  for (const auto& [key, member] : kUsageKeys)
    attempt.reply.usage.*member = usage.integer(key, false, -1);
  attempt.reply.stop = members.word("stop", stop_from_text, StopReason::kUnknown);
  attempt.reply.first_token_ms = members.number("first_token_ms");
  attempt.reply.total_ms = members.number("total_ms");
  std::optional<Error> memory_error;
  if (const auto object_of_memory = members.some_object("memory")) {
    Members memory(*object_of_memory, where + ": memory");
    attempt.reply.memory = {.kv = memory.integer("kv", false, -1),
                            .peak = memory.integer("peak", false, -1)};
    memory_error = memory.error();
  }
  attempt.reply.model = members.text("model", false);
  attempt.reply.request_id = members.text("request_id", false);
  attempt.detail = members.text("detail", false);
  attempt.tries = members.integer("tries", true, 1);
  attempt.expected_prompt_tokens = members.integer("expected_prompt_tokens", true, 0);
  attempt.prefix_policy = members.word("prefix_policy", policy_from_text, PrefixPolicy::kInPrompt);
  attempt.started_unix_ms = members.integer("started_unix_ms", true, 0);
  if (attempt.sample_id.empty()) members.refuse("key 'sample' must not be empty");
  if (attempt.number < 0 || attempt.tries < 0)
    members.refuse("keys 'attempt' and 'tries' must not be negative");
  if (members.error()) return fail(*members.error());
  if (usage.error()) return fail(*usage.error());
  if (memory_error) return fail(*memory_error);
  return attempt;
}

}  // namespace fathom
