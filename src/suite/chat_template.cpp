#include "suite/chat_template.h"

#include <jinja/lexer.h>
#include <jinja/parser.h>
#include <jinja/runtime.h>

#include <algorithm>
#include <charconv>
#include <ctime>

#include "base/hash.h"
#include "suite/template_limits.h"
#include "suite/template_source.h"

namespace fathom {
namespace {

constexpr size_t kMaxSourceBytes = 512 << 10;

// The engine's messages show the source over many lines; people need the place and the reason.
std::string short_reason(std::string text) {
  const std::string marker = "Error: ";
  std::string place;
  const size_t at = text.find(" at line ");
  if (at != std::string::npos) {
    const size_t end = text.find(" in source", at);
    if (end != std::string::npos) place = text.substr(at + 4, end - at - 4) + ": ";
  }
  const size_t error = text.rfind(marker);
  if (error != std::string::npos) text = text.substr(error + marker.size());
  const size_t raised = text.find("Jinja Exception: ");
  if (raised != std::string::npos) text = "it refuses: " + text.substr(raised + 17);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  while (text.ends_with(' ')) text.pop_back();
  while (text.starts_with(' ')) text.erase(0, 1);
  return place + text.substr(0, 400);
}

// Noon of the day in local time, because the engine's strftime_now() shows local time.
Result<std::time_t> noon_of(const std::string& date) {
  std::tm day{};
  const auto field = [&](size_t begin, size_t size, int& value) {
    const char* first = date.data() + begin;
    return std::from_chars(first, first + size, value).ptr == first + size;
  };
  const bool valid = date.size() == 10 && date[4] == '-' && date[7] == '-' &&
                     field(0, 4, day.tm_year) && field(5, 2, day.tm_mon) &&
                     field(8, 2, day.tm_mday) && day.tm_mon >= 1 && day.tm_mon <= 12 &&
                     day.tm_mday >= 1 && day.tm_mday <= 31;
  if (!valid) return fail(ErrorCode::kUsage, "'{}' is not a date; write 2026-01-31", date);
  day.tm_year -= 1900;
  day.tm_mon -= 1;
  day.tm_hour = 12;
  day.tm_isdst = -1;
  return std::mktime(&day);
}

jinja::value text_value(const std::string& text) {
  return jinja::mk_val<jinja::value_string>(text);
}

jinja::value parameter_value(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return jinja::mk_val<jinja::value_bool>(*flag);
  if (const auto* whole = std::get_if<int64_t>(&value)) {
    return jinja::mk_val<jinja::value_int>(*whole);
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return jinja::mk_val<jinja::value_float>(*real);
  }
  return text_value(std::get<std::string>(value));
}

jinja::value message_list(const std::vector<TemplateMessage>& messages) {
  auto list = jinja::mk_val<jinja::value_array>();
  for (const TemplateMessage& message : messages) {
    auto object = jinja::mk_val<jinja::value_object>();
    object->insert("role", text_value(to_text(message.role)));
    object->insert("content", text_value(message.content));
    list->push_back(object);
  }
  return list;
}

// The globals that Hugging Face's apply_chat_template() gives.
void set_globals(jinja::context& context, const TemplateSource& source,
                 const std::vector<TemplateMessage>& messages, const RenderOptions& options) {
  context.set_val("messages", message_list(messages));
  context.set_val("tools", jinja::mk_val<jinja::value_none>());
  context.set_val("documents", jinja::mk_val<jinja::value_none>());
  context.set_val("add_generation_prompt",
                  jinja::mk_val<jinja::value_bool>(options.add_generation_prompt));
  for (const auto& [name, text] : source.other_tokens) context.set_val(name, text_value(text));
  if (!source.bos_token.empty()) context.set_val("bos_token", text_value(source.bos_token));
  if (!source.eos_token.empty()) context.set_val("eos_token", text_value(source.eos_token));
  for (const auto& [name, value] : options.variables) {
    context.set_val(name, parameter_value(value));
  }
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

struct ChatTemplate::Program {
  TemplateSource source;
  jinja::program program;
};

Result<ChatTemplate> ChatTemplate::load(const std::string& path, const std::string& name) {
  TRY(TemplateSource source, read_template_source(path, name));
  return from_source(std::move(source));
}

Result<ChatTemplate> ChatTemplate::from_source(TemplateSource source) {
  if (source.text.size() > kMaxSourceBytes) {
    return fail(ErrorCode::kInput, "{}: chat template larger than {} bytes", source.origin,
                kMaxSourceBytes);
  }
  auto program = std::make_shared<Program>();
  try {
    jinja::lexer lexer;
    const jinja::lexer_result tokens = lexer.tokenize(source.text);
    if (const auto nesting = check_template_nesting(tokens); !nesting) {
      return fail(ErrorCode::kInput, "{}: chat template: {}", source.origin,
                  nesting.error().message);
    }
    program->program = jinja::parse_from_tokens(tokens);
    limit_template(program->program);
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kInput, "{}: chat template does not parse: {}", source.origin,
                short_reason(exception.what()));
  }
  program->source = std::move(source);
  return ChatTemplate(std::move(program));
}

const TemplateSource& ChatTemplate::source() const { return program_->source; }

std::string ChatTemplate::hash() const {
  const TemplateSource& from = program_->source;
  std::string bytes =
      fmt::format("{} {} {}\n", from.text.size(), from.bos_token.size(), from.eos_token.size());
  bytes += from.text + from.bos_token + from.eos_token;
  for (const auto& [name, text] : from.other_tokens) {
    bytes += fmt::format("\n{} {} {}", name, text.size(), text);
  }
  return hash_hex(bytes);
}

Result<std::string> ChatTemplate::render(const std::vector<TemplateMessage>& messages,
                                         const RenderOptions& options) const {
  TRY(const std::time_t now, noon_of(options.date));
  uint64_t content_bytes = 0;
  for (const TemplateMessage& message : messages) content_bytes += message.content.size();
  const RenderBudget budget(content_bytes);
  try {
    jinja::context context(program_->source.text);
    context.current_time = now;
    set_globals(context, program_->source, messages, options);
    jinja::runtime runtime(context);
    const jinja::value_array results = runtime.execute(program_->program);
    return jinja::render_string_parts(jinja::runtime::gather_string_parts(results));
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kInput, "{}: chat template cannot be rendered: {}",
                program_->source.origin, short_reason(exception.what()));
  }
}

std::string TemplateWrap::content(const std::string& text) const {
  size_t begin = 0;
  size_t end = text.size();
  while (trims_start && begin < end && is_space(text[begin])) ++begin;
  while (trims_end && end > begin && is_space(text[end - 1])) --end;
  return text.substr(begin, end - begin);
}

namespace {

std::vector<TemplateMessage> with_user(const std::vector<TemplateMessage>& prior,
                                       const std::string& content) {
  std::vector<TemplateMessage> messages = prior;
  messages.push_back({MessageRole::kUser, content});
  return messages;
}

// Where `needle` stands in `text`, when it stands there exactly once.
Result<size_t> find_once(const std::string& text, const std::string& needle,
                         const std::string& origin) {
  const size_t at = text.find(needle);
  if (at == std::string::npos || text.find(needle, at + 1) != std::string::npos) {
    return fail(ErrorCode::kInput,
                "{}: the chat template {} the user's text, so no exact prompt can be made with it; "
                "use another template or none",
                origin, at == std::string::npos ? "changes" : "repeats");
  }
  return at;
}

// Spans of the earlier messages, in order; a content that the template changed is left out.
std::vector<SampleMessage> prior_spans(const std::string& before,
                                       const std::vector<TemplateMessage>& prior) {
  std::vector<SampleMessage> spans;
  size_t from = 0;
  for (const TemplateMessage& message : prior) {
    size_t begin = 0;
    size_t end = message.content.size();
    while (begin < end && is_space(message.content[begin])) ++begin;
    while (end > begin && is_space(message.content[end - 1])) --end;
    const std::string content = message.content.substr(begin, end - begin);
    const size_t at = content.empty() ? std::string::npos : before.find(content, from);
    if (at == std::string::npos) continue;
    from = at + content.size();
    spans.push_back({message.role, {at, from}});
  }
  return spans;
}

}  // namespace

Result<TemplateWrap> ChatTemplate::wrap(const std::vector<TemplateMessage>& prior,
                                        const RenderOptions& options) const {
  const std::string& origin = program_->source.origin;
  const std::string probe = "Qzxprobe one, qzxprobe two.";
  TRY(const std::string plain, render(with_user(prior, probe), options));
  TRY(const size_t at, find_once(plain, probe, origin));
  TemplateWrap wrap;
  wrap.before = plain.substr(0, at);
  wrap.after = plain.substr(at + probe.size());

  TRY(const std::string spaced, render(with_user(prior, "\n  " + probe + "  \n"), options));
  TRY(const size_t spaced_at, find_once(spaced, probe, origin));
  wrap.trims_start = spaced_at == at;
  wrap.trims_end = spaced.size() - spaced_at == plain.size() - at;

  const std::vector<std::string> checks = {
      "\n  " + probe + "  \n", "x", "Line one.\n\n\tLine <two> & \"three\" {{ four }} {% five %}\n",
      "Ünïcödé 文字 🙂 " + std::string(2000, 'y') + "\n\n 1. end "};
  for (const std::string& check : checks) {
    TRY(const std::string full, render(with_user(prior, check), options));
    if (full != wrap.before + wrap.content(check) + wrap.after) {
      return fail(ErrorCode::kInput,
                  "{}: the text that the chat template puts around the user's message depends on "
                  "the message, so no exact prompt can be made with it; use another template or "
                  "none",
                  origin);
    }
  }
  const std::string& bos = program_->source.bos_token;
  wrap.writes_bos = !bos.empty() && wrap.before.starts_with(bos);
  wrap.prior = prior_spans(wrap.before, prior);
  return wrap;
}

}  // namespace fathom
