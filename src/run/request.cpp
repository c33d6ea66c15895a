#include "run/request.h"

#include <algorithm>

namespace fathom {
namespace {

std::shared_ptr<const AnswerKey> answer_key(const Sample& sample) {
  auto key = std::make_shared<AnswerKey>();
  key->task = sample.task;
  key->references = sample.references;
  key->length_tokens = sample.length > 0 ? sample.length : sample.tokens.total;
  key->in_prompt = sample.variant.control() != kNoContext;
  const auto rests_on = [](const Evidence& evidence) { return !evidence.distractor; };
  const auto first = std::find_if(sample.evidence.begin(), sample.evidence.end(), rests_on);
  if (first != sample.evidence.end()) key->depth = first->depth;
  return key;
}

}  // namespace

int64_t expected_prompt_tokens(const SampleTokens& tokens, PrefixPolicy policy) {
  return policy == PrefixPolicy::kDropped ? tokens.prompt - tokens.prefix : tokens.prompt;
}

std::vector<TokenSpan> evidence_places(const Sample& sample) {
  std::vector<TokenSpan> places;
  for (const Evidence& evidence : sample.evidence)
    if (!evidence.distractor) places.push_back(evidence.tokens);
  return places;
}

int64_t output_ceiling(const SampleTokens& tokens, const RunSettings& settings) {
  return settings.max_output_tokens > 0 ? settings.max_output_tokens : tokens.reserve;
}

Request make_request(const std::shared_ptr<const Sample>& sample, int64_t number,
                     const RunSettings& settings) {
  Request out;
  out.id = sample->id;
  out.prompt = std::shared_ptr<const std::string>(sample, &sample->prompt);
  out.raw = settings.profile.raw_prompts;
  if (!out.raw)
    for (const SampleMessage& message : sample->messages)
      out.messages.push_back(
          {to_text(message.role),
           sample->prompt.substr(message.bytes.begin, message.bytes.end - message.bytes.begin)});
  out.answer_prefix = sample->answer_prefix;
  out.add_special = settings.add_special;
  out.expected_prompt_tokens =
      expected_prompt_tokens(sample->tokens, settings.profile.prefix_policy);
  out.max_output_tokens = output_ceiling(sample->tokens, settings);
  out.decoding = settings.decoding;
  out.decoding.seed += number;
  out.answer_key = answer_key(*sample);
  out.places.context_end = std::min<size_t>(sample->context.end, sample->prompt.size());
  out.places.evidence = evidence_places(*sample);
  return out;
}

size_t shared_bytes(const std::string& left, const std::string& right) {
  const size_t most = std::min(left.size(), right.size());
  const auto end = left.begin() + static_cast<std::ptrdiff_t>(most);
  return static_cast<size_t>(std::mismatch(left.begin(), end, right.begin()).first - left.begin());
}

}  // namespace fathom
