#include "run/journal_line.h"

#include <cmath>
#include <utility>

#include "io/json_fields.h"
#include "io/json_text.h"

namespace fathom {
namespace {

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

Result<int64_t> integer_or(const JsonFields& fields, const char* key, int64_t fallback) {
  if (!fields.has(key)) return fallback;
  return fields.integer(key);
}

Result<std::string> some_text(const JsonFields& fields, const char* key) {
  if (!fields.has(key)) return std::string();
  return fields.text(key);
}

template <typename Value>
Result<Value> word(const JsonFields& fields, const char* key,
                   Result<Value> (*from_text)(std::string_view)) {
  TRY(const std::string text, fields.text(key));
  auto parsed = from_text(text);
  if (!parsed)
    return fail(with_context(parsed.error(), fmt::format("{}: key '{}'", fields.where(), key)));
  return *parsed;
}

Result<JsonFields> line_fields(std::string_view line, std::string_view where) {
  auto fields = parse_fields(line, where);
  if (fields) return fields;
  return fail(ErrorCode::kInput,
              "{}; the line was damaged after it was written, remove it to have its attempt made "
              "again",
              fields.error().message);
}

Result<Reply> reply_from(const JsonFields& fields) {
  Reply reply;
  TRY(reply.text, fields.text("text"));
  TRY(reply.thinking, some_text(fields, "thinking"));
  TRY(const JsonFields usage, fields.object("usage"));
  for (const auto& [key, member] : kUsageKeys) {
    TRY(reply.usage.*member, integer_or(usage, key, -1));
  }
  TRY(reply.stop, word(fields, "stop", stop_from_text));
  TRY(reply.first_token_ms, fields.number("first_token_ms"));
  TRY(reply.total_ms, fields.number("total_ms"));
  if (fields.has("memory")) {
    TRY(const JsonFields memory, fields.object("memory"));
    TRY(reply.memory.kv, integer_or(memory, "kv", -1));
    TRY(reply.memory.peak, integer_or(memory, "peak", -1));
  }
  TRY(reply.model, some_text(fields, "model"));
  TRY(reply.request_id, some_text(fields, "request_id"));
  return reply;
}

}  // namespace

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

Result<JournalHeader> journal_header(std::string_view line, const std::string& where) {
  TRY(const JsonFields fields, line_fields(line, where));
  JournalHeader header;
  TRY(header.version, fields.integer("fathom_journal"));
  TRY(header.run_id, fields.text("run"));
  if (header.version != 1)
    return fail(ErrorCode::kInput, "{}: this is not a journal that this fathom reads (version {})",
                where, header.version);
  return header;
}

Result<Attempt> attempt_from_line(std::string_view line, const std::string& where) {
  TRY(const JsonFields fields, line_fields(line, where));
  Attempt attempt;
  TRY(attempt.sample_id, fields.text("sample"));
  if (attempt.sample_id.empty()) return fail(fields.wrong("sample", "a sample's id"));
  TRY(attempt.sample_hash, fields.text("hash"));
  TRY(attempt.number, fields.count("attempt"));
  TRY(attempt.outcome, word(fields, "outcome", outcome_from_text));
  TRY(attempt.reply, reply_from(fields));
  TRY(attempt.detail, some_text(fields, "detail"));
  TRY(attempt.tries, fields.count("tries"));
  TRY(attempt.expected_prompt_tokens, fields.integer("expected_prompt_tokens"));
  TRY(attempt.prefix_policy, word(fields, "prefix_policy", policy_from_text));
  TRY(attempt.started_unix_ms, fields.integer("started_unix_ms"));
  return attempt;
}

}  // namespace fathom
