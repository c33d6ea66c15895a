#include "suite/maker.h"

#include <algorithm>
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

}  // namespace

struct SampleMaker::Parts {
  Suite suite;
  std::shared_ptr<const Tokenizer> tokenizer;
  Corpora corpora;
  ChatWrapper wrapper;
  Wording wording;
};

Result<SampleMaker> SampleMaker::create(const Suite& suite,
                                        std::shared_ptr<const Tokenizer> tokenizer, Corpora corpora,
                                        ChatWrapper wrapper) {
  TRY(Wording wording, Wording::load(suite.wording));
  for (const SuiteTask& row : suite.tasks) {
    TRY(const Task* task, find_task(row.name));
    TRY_VOID(Parameters::resolve(row.name, task->info().parameters, row.parameters));
  }
  return SampleMaker(std::make_shared<const Parts>(Parts{
      suite, std::move(tokenizer), std::move(corpora), std::move(wrapper), std::move(wording)}));
}

const Wording& SampleMaker::wording() const { return parts_->wording; }

Result<Sample> SampleMaker::make(const SuiteTask& row, int64_t length, int64_t index) const {
  const Parts& parts = *parts_;
  TRY(const Task* task, find_task(row.name));
  Sample sample;
  TRY(sample.parameters, Parameters::resolve(row.name, task->info().parameters, row.parameters));
  sample.task = row.name;
  sample.cell = row.cell.empty() ? row.name : row.cell;
  sample.id = fmt::format("{}:{}:{}", sample.cell, length, index);
  sample.length = length;
  sample.index = index;
  sample.seed = parts.suite.seed;
  sample.metric = task->info().metric;

  const RandomKey cell_key = RandomKey(sample.seed)
                                 .with(static_cast<uint64_t>(parts.suite.version))
                                 .with(sample.task)
                                 .with(sample.parameters.canonical());
  const RandomKey key = cell_key.with(static_cast<uint64_t>(index));
  TRY_CONTEXT(
      Draft draft,
      task->draft({sample.parameters, parts.corpora, parts.wording, key, cell_key, index, length}),
      sample.id);
  const PromptFrame frame =
      make_frame(draft.before, draft.after,
                 parts.suite.answer_prefix ? draft.answer_prefix : std::string(), parts.wrapper);
  const EncodeOptions encode{.add_special = parts.wrapper.add_special, .parse_special = true};
  TRY_CONTEXT(Fit fit,
              fit_length({*parts.tokenizer, frame, *draft.context, encode,
                          parts.suite.length_counts, length, draft.reserve}),
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
  sample.haystack = std::move(draft.haystack);
  sample.notes = std::move(draft.notes);
  sample.notes.insert(sample.notes.end(), fit.context.notes.begin(), fit.context.notes.end());
  sample.evidence = std::move(fit.context.evidence);
  place_evidence(sample, fit.tokens);
  const size_t prompt_size = fit.text.size() - frame.answer_prefix.size();
  sample.tokens = {fit.prompt_tokens, draft.reserve, fit.total,
                   prefix_tokens(*parts.tokenizer, fit.text, prompt_size), fit.context_tokens};
  sample.off_by = fit.total - length;
  if (sample.off_by != 0) {
    sample.notes.push_back(
        fmt::format("{} tokens instead of {}: no filler of that size exists", fit.total, length));
  }
  sample.prompt = std::move(fit.text);
  sample.prompt.resize(prompt_size);
  return sample;
}

}  // namespace fathom
