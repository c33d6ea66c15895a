#include "run/settings_json.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace fathom {
namespace {

template <typename Struct, typename Value>
using Fields = std::initializer_list<std::pair<const char*, Value Struct::*>>;

// One table per struct and type: what is written is what is read.
const Fields<ModelOptions, std::string> kModelTexts = {
    {"model", &ModelOptions::model},
    {"base_url", &ModelOptions::base_url},
    {"api", &ModelOptions::api},
    {"api_key_variable", &ModelOptions::api_key_variable}};
const Fields<ModelOptions, int64_t> kModelNumbers = {
    {"context_tokens", &ModelOptions::context_tokens},
    {"idle_timeout_ms", &ModelOptions::idle_timeout_ms}};

const Fields<ModelProfile, std::string> kProfileTexts = {
    {"provider", &ModelProfile::provider}, {"name", &ModelProfile::name},
    {"version", &ModelProfile::version},   {"chat_template", &ModelProfile::chat_template},
    {"bos_text", &ModelProfile::bos_text}, {"eos_text", &ModelProfile::eos_text}};
const Fields<ModelProfile, int64_t> kProfileNumbers = {
    {"window_tokens", &ModelProfile::window_tokens}, {"slots", &ModelProfile::slots}};
const Fields<ModelProfile, bool> kProfileFlags = {
    {"raw_prompts", &ModelProfile::raw_prompts},
    {"reports_prompt_tokens", &ModelProfile::reports_prompt_tokens}};

const Fields<RunSettings, std::string> kSettingTexts = {
    {"suite", &RunSettings::suite},
    {"dataset", &RunSettings::dataset},
    {"dataset_hash", &RunSettings::dataset_hash},
    {"tokenizer", &RunSettings::tokenizer},
    {"tokenizer_hash", &RunSettings::tokenizer_hash},
    {"chat_template", &RunSettings::chat_template},
    {"template_hash", &RunSettings::template_hash},
    {"length_counts", &RunSettings::length_counts}};
const Fields<RunSettings, int64_t> kSettingNumbers = {
    {"max_output_tokens", &RunSettings::max_output_tokens}, {"attempts", &RunSettings::attempts}};

const Fields<RunLimits, int64_t> kLimitNumbers = {
    {"requests_in_flight", &RunLimits::requests_in_flight},
    {"tokens_in_flight", &RunLimits::tokens_in_flight},
    {"requests_per_minute", &RunLimits::requests_per_minute},
    {"tokens_per_minute", &RunLimits::tokens_per_minute},
    {"tries", &RunLimits::tries},
    {"rate_limited_tries", &RunLimits::rate_limited_tries},
    {"first_backoff_ms", &RunLimits::first_backoff_ms},
    {"longest_backoff_ms", &RunLimits::longest_backoff_ms},
    {"retries_in_all", &RunLimits::retries_in_all},
    {"failures_in_a_row", &RunLimits::failures_in_a_row},
    {"failed_share_from", &RunLimits::failed_share_from},
    {"count_check_samples", &RunLimits::count_check_samples},
    {"stop_grace_ms", &RunLimits::stop_grace_ms}};
const Fields<RunLimits, bool> kLimitFlags = {
    {"adaptive", &RunLimits::adaptive},
    {"allow_count_mismatch", &RunLimits::allow_count_mismatch},
    {"retry_errors", &RunLimits::retry_errors}};

template <typename Struct, typename Value>
void write(Json& out, const Struct& from, const Fields<Struct, Value>& fields) {
  for (const auto& [key, member] : fields) out[key] = from.*member;
}

Result<std::string> value_of(const JsonReader& reader, const char* key, const std::string&) {
  return reader.text(key);
}
Result<int64_t> value_of(const JsonReader& reader, const char* key, int64_t) {
  return reader.integer(key);
}
Result<bool> value_of(const JsonReader& reader, const char* key, bool) {
  return reader.boolean(key);
}

template <typename Struct, typename Value>
Result<void> read(const JsonReader& reader, Struct& into, const Fields<Struct, Value>& fields) {
  for (const auto& [key, member] : fields) {
    TRY(into.*member, value_of(reader, key, into.*member));
  }
  return {};
}

bool is_variable_name(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

Json to_json(ModelOptions options) {
  options.base_url = without_secrets(options.base_url);
  if (!is_variable_name(options.api_key_variable) || options.api_key_variable.size() > 64)
    options.api_key_variable.clear();
  Json out;
  write(out, options, kModelTexts);
  write(out, options, kModelNumbers);
  out["threads"] = options.threads;
  out["seed"] = options.seed;
  return out;
}

Json to_json(const ModelProfile& profile) {
  Json out;
  write(out, profile, kProfileTexts);
  write(out, profile, kProfileNumbers);
  write(out, profile, kProfileFlags);
  out["prefix_policy"] = to_text(profile.prefix_policy);
  out["notes"] = profile.notes;
  return out;
}

Json to_json(const Decoding& decoding) {
  Json out;
  out["temperature"] = decoding.temperature;
  out["top_p"] = decoding.top_p;
  out["seed"] = decoding.seed;
  out["stop"] = decoding.stop;
  return out;
}

Result<ModelOptions> model_options_from_json(const JsonReader& reader) {
  ModelOptions out;
  TRY_VOID(read(reader, out, kModelTexts));
  TRY_VOID(read(reader, out, kModelNumbers));
  TRY(const int64_t threads, reader.integer("threads"));
  out.threads = static_cast<int>(std::clamp<int64_t>(threads, 0, 1 << 20));
  const auto seed = reader.json().find("seed");
  if (seed == reader.json().end() || !seed->is_number_unsigned())
    return fail(ErrorCode::kInput, "{}: key 'seed' must be a whole number from 0 on",
                reader.where());
  out.seed = seed->get<uint64_t>();
  return out;
}

Result<ModelProfile> model_profile_from_json(const JsonReader& reader) {
  ModelProfile out;
  TRY_VOID(read(reader, out, kProfileTexts));
  TRY_VOID(read(reader, out, kProfileNumbers));
  TRY_VOID(read(reader, out, kProfileFlags));
  TRY(out.notes, reader.texts("notes"));
  TRY(const std::string policy, reader.text("prefix_policy"));
  for (const PrefixPolicy known : {PrefixPolicy::kInPrompt, PrefixPolicy::kContinue,
                                   PrefixPolicy::kInMessage, PrefixPolicy::kDropped})
    if (policy == to_text(known)) {
      out.prefix_policy = known;
      return out;
    }
  return fail(ErrorCode::kInput, "{}: key 'prefix_policy': '{}' is not a prefix policy",
              reader.where(), policy);
}

Result<Decoding> decoding_from_json(const JsonReader& reader) {
  Decoding out;
  TRY(out.temperature, reader.number("temperature"));
  TRY(out.top_p, reader.number("top_p"));
  TRY(out.seed, reader.integer("seed"));
  TRY(out.stop, reader.texts("stop"));
  return out;
}

}  // namespace

std::string without_secrets(const std::string& url) {
  std::string out = url.substr(0, url.find_first_of("?#"));
  const size_t scheme = out.find("://");
  const size_t host = scheme == std::string::npos ? 0 : scheme + 3;
  const size_t path = std::min(out.find('/', host), out.size());
  const size_t at = out.rfind('@', path);
  if (at != std::string::npos && at >= host && at < path) out.erase(host, at + 1 - host);
  return out;
}

Json to_json(const RunSettings& settings) {
  Json out;
  out["model"] = to_json(settings.model);
  out["profile"] = to_json(settings.profile);
  out["decoding"] = to_json(settings.decoding);
  write(out, settings, kSettingNumbers);
  out["add_special"] = settings.add_special;
  write(out, settings, kSettingTexts);
  out["more"] = Json::object();
  for (const auto& [name, value] : settings.more) out["more"][name] = value;
  return out;
}

Json to_json(const RunLimits& limits) {
  Json out;
  write(out, limits, kLimitNumbers);
  write(out, limits, kLimitFlags);
  out["failed_share"] = limits.failed_share;
  out["deadline_ms"] = Json::object();
  for (const auto& [length, deadline] : limits.deadline_ms)
    out["deadline_ms"][std::to_string(length)] = deadline;
  return out;
}

Result<RunSettings> run_settings_from_json(const JsonReader& reader) {
  RunSettings out;
  TRY(const JsonReader model, reader.object("model"));
  TRY(out.model, model_options_from_json(model));
  TRY(const JsonReader profile, reader.object("profile"));
  TRY(out.profile, model_profile_from_json(profile));
  TRY(const JsonReader decoding, reader.object("decoding"));
  TRY(out.decoding, decoding_from_json(decoding));
  TRY_VOID(read(reader, out, kSettingNumbers));
  TRY(out.add_special, reader.boolean("add_special"));
  TRY_VOID(read(reader, out, kSettingTexts));
  TRY(const JsonReader more, reader.object("more"));
  for (const auto& item : more.json().items()) {
    TRY(out.more[item.key()], more.text(item.key()));
  }
  return out;
}

Result<RunLimits> run_limits_from_json(const JsonReader& reader) {
  RunLimits out;
  TRY_VOID(read(reader, out, kLimitNumbers));
  TRY_VOID(read(reader, out, kLimitFlags));
  TRY(out.failed_share, reader.number("failed_share"));
  TRY(const JsonReader deadlines, reader.object("deadline_ms"));
  for (const auto& item : deadlines.json().items()) {
    const std::string& key = item.key();
    int64_t length = 0;
    const auto parsed = std::from_chars(key.data(), key.data() + key.size(), length);
    if (parsed.ec != std::errc() || parsed.ptr != key.data() + key.size())
      return fail(ErrorCode::kInput, "{}: key '{}' must be a length in tokens", deadlines.where(),
                  key);
    TRY(out.deadline_ms[length], deadlines.integer(key));
  }
  return out;
}

}  // namespace fathom
