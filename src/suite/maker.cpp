#include "suite/maker.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "suite/evidence_tokens.h"
#include "suite/fit.h"
#include "task/task.h"

namespace fathom {
namespace {

void place_evidence(Sample& sample, const std::vector<ByteSpan>& spans) {
  const auto size =
      static_cast<double>(std::max<uint64_t>(sample.context.end - sample.context.begin, 1));
  for (Evidence& each : sample.evidence) {
    each.depth = static_cast<double>(each.bytes.begin) / size;
    each.bytes = {each.bytes.begin + sample.context.begin, each.bytes.end + sample.context.begin};
    if (each.answer_bytes.end > 0) {
      each.answer_bytes = {each.answer_bytes.begin + sample.context.begin,
                           each.answer_bytes.end + sample.context.begin};
    }
    each.tokens = tokens_touching(spans, each.bytes);
  }
}

// Tokens that go when the answer prefix is dropped: counted on the end of the prompt, from a joint
// that no tokenizer merges across.
int64_t prefix_tokens(const Tokenizer& tokenizer, const std::string& text, size_t prompt_size) {
  if (prompt_size == text.size()) return 0;
  constexpr size_t kWindow = 512;
  size_t start = prompt_size > kWindow ? text.rfind('\n', prompt_size - kWindow) : 0;
  start = start == std::string::npos || start == 0 ? 0 : start + 1;
  const std::string_view end = std::string_view(text).substr(start);
  const EncodeOptions options{.add_special = false, .parse_special = true};
  const size_t with = tokenizer.count(end, options);
  const size_t without = tokenizer.count(end.substr(0, prompt_size - start), options);
  return static_cast<int64_t>(with) - static_cast<int64_t>(without);
}

std::vector<SampleMessage> messages_of(const PromptFrame& frame, size_t context_size) {
  std::vector<SampleMessage> messages = frame.prior;
  messages.push_back({MessageRole::kUser, {frame.user.begin, frame.user.end + context_size}});
  return messages;
}

// The context of a control: its evidence and distractors alone, or the words that say that there is
// none.
Result<Fit> control_fit(const FitRequest& request, const SampleVariant& variant,
                        const Wording& wording) {
  BuiltContext context;
  if (variant.control() == kNoContext) {
    context.text = wording.text(Wording::kNoContextText, {});
  } else {
    constexpr double kBytesPerToken = 4;  // places nothing: no unit of filler is there
    TRY(context, request.context.build({request.context.least_units(), {}}, kBytesPerToken));
  }
  return count_context(request, std::move(context));
}

template <typename Number>
Result<Number> variant_number(const SampleVariant& variant) {
  Number number = 0;
  const char* end = variant.value.data() + variant.value.size();
  const auto [rest, error] = std::from_chars(variant.value.data(), end, number);
  if (rest == end && error == std::errc() && !variant.value.empty()) return number;
  return fail(ErrorCode::kInput, "{}: '{}' is not a number", variant.cell(), variant.value);
}

Result<uint64_t> seed_of(const Suite& suite, const SampleVariant& variant) {
  if (variant.axis != VariantAxis::kSeed) return suite.seed;
  return variant_number<uint64_t>(variant);
}

Result<int64_t> entity_set_of(const SampleVariant& variant) {
  if (variant.axis != VariantAxis::kEntities) return int64_t{0};
  return variant_number<int64_t>(variant);
}

Result<std::optional<int64_t>> hop_of(const SampleVariant& variant) {
  if (variant.axis != VariantAxis::kHop) return std::optional<int64_t>();
  TRY(const int64_t hop, variant_number<int64_t>(variant));
  return hop;
}

}  // namespace

struct SampleMaker::Parts {
  Suite suite;
  std::shared_ptr<const Tokenizer> tokenizer;
  Corpora corpora;
  ChatWrapper wrapper;
  Wording wording;
  std::map<std::string, Wording> variant_wordings;

  [[nodiscard]] Result<const Wording*> wording_of(const SampleVariant& variant) const {
    const bool moved = variant.axis == VariantAxis::kInstruction;
    if (!moved && variant.axis != VariantAxis::kWording) return &wording;
    const auto pack = variant_wordings.find(moved ? "instruction_" + variant.value : variant.value);
    if (pack != variant_wordings.end()) return &pack->second;
    return fail(ErrorCode::kInput, "{}: the suite does not say where this wording is",
                variant.cell());
  }
};

Result<SampleMaker> SampleMaker::create(const Suite& suite,
                                        std::shared_ptr<const Tokenizer> tokenizer, Corpora corpora,
                                        ChatWrapper wrapper) {
  TRY(Wording wording, Wording::load(suite.wording));
  for (const SuiteTask& row : suite.tasks) {
    TRY(const Task* task, find_task(row.name));
    TRY_VOID(Parameters::resolve(row.name, task->info().parameters, row.parameters));
  }
  std::map<std::string, Wording> variant_wordings;
  for (const auto& [name, source] : suite.variant_wordings) {
    TRY(Wording pack, Wording::load(source));
    variant_wordings.emplace(name, std::move(pack));
  }
  return SampleMaker(std::make_shared<const Parts>(
      Parts{suite, std::move(tokenizer), std::move(corpora), std::move(wrapper), std::move(wording),
            std::move(variant_wordings)}));
}

const Wording& SampleMaker::wording() const { return parts_->wording; }
const std::map<std::string, Wording>& SampleMaker::variant_wordings() const {
  return parts_->variant_wordings;
}

Result<Sample> SampleMaker::make(const SuiteTask& row, int64_t length, int64_t index) const {
  const Parts& parts = *parts_;
  TRY(const Task* task, find_task(row.name));
  Sample sample;
  TRY(sample.parameters, Parameters::resolve(row.name, task->info().parameters, row.parameters));
  sample.task = row.name;
  sample.cell = row.cell.empty() ? row.name : row.cell;
  sample.variant = row.variant;
  const bool control = row.variant.is_control();
  if (control) length = 0;
  sample.id = fmt::format("{}:{}:{}", sample.cell, length, index);
  sample.length = length;
  sample.index = index;
  TRY(sample.seed, seed_of(parts.suite, row.variant));
  sample.metric = task->info().metric;

  const RandomKey cell_key = RandomKey(sample.seed)
                                 .with(static_cast<uint64_t>(parts.suite.version))
                                 .with(sample.task)
                                 .with(sample.parameters.canonical());
  const RandomKey key = cell_key.with(static_cast<uint64_t>(index));
  TRY(const Wording* wording, parts.wording_of(row.variant));
  TRY(const int64_t entity_set, entity_set_of(row.variant));
  TRY(const std::optional<int64_t> hop, hop_of(row.variant));
  TRY_CONTEXT(Draft draft,
              task->draft({sample.parameters, parts.corpora, *wording, key, cell_key, index,
                           control ? row.control_of : length, entity_set,
                           row.variant.axis == VariantAxis::kPlace, hop}),
              sample.id);
  const PromptFrame frame =
      make_frame(draft.before, draft.after,
                 parts.suite.answer_prefix ? draft.answer_prefix : std::string(), parts.wrapper);
  const EncodeOptions encode{.add_special = parts.wrapper.add_special, .parse_special = true};
  const FitRequest request{*parts.tokenizer,          frame,  *draft.context, encode,
                           parts.suite.length_counts, length, draft.reserve};
  TRY_CONTEXT(Fit fit, control ? control_fit(request, row.variant, *wording) : fit_length(request),
              sample.id);

  // Counted by the path that models are served with, which shares nothing with the spans above.
  const auto counted = static_cast<int64_t>(parts.tokenizer->count(fit.text, encode));
  if (counted != fit.prompt_tokens) {
    return fail(ErrorCode::kInternal, "{}: the finished prompt counts {} tokens and encodes to {}",
                sample.id, counted, fit.prompt_tokens);
  }

  sample.context = {frame.head.size(), frame.head.size() + fit.context.text.size()};
  sample.messages = messages_of(frame, fit.context.text.size());
  sample.answer_prefix = frame.answer_prefix;
  sample.question = draft.question;
  sample.references = std::move(draft.references);
  if (!control) sample.haystack = std::move(draft.haystack);
  sample.notes = std::move(draft.notes);
  sample.notes.insert(sample.notes.end(), fit.context.notes.begin(), fit.context.notes.end());
  sample.evidence = std::move(fit.context.evidence);
  place_evidence(sample, fit.tokens);
  const size_t prompt_size = fit.text.size() - frame.answer_prefix.size();
  sample.tokens = {fit.prompt_tokens, draft.reserve, fit.total,
                   prefix_tokens(*parts.tokenizer, fit.text, prompt_size), fit.context_tokens};
  sample.off_by = control ? 0 : fit.total - length;
  if (sample.off_by != 0) {
    sample.notes.push_back(
        fmt::format("{} tokens instead of {}: no filler of that size exists", fit.total, length));
  }
  sample.prompt = std::move(fit.text);
  sample.prompt.resize(prompt_size);
  return sample;
}

}  // namespace fathom
