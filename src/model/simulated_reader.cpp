#include "model/simulated_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <utility>

#include "base/random.h"

namespace fathom {
namespace {

enum class Mistake { kPartial, kWrongBinding, kEmpty, kTruncated };

const ReaderAccuracy& accuracy_for(const ReaderProfile& profile, const std::string& task) {
  const ReaderAccuracy* best = &profile.accuracy;
  size_t best_size = 0;
  for (const auto& [pattern, accuracy] : profile.tasks) {
    if (pattern == task) return accuracy;
    if (!pattern.ends_with('*')) continue;
    const std::string_view start = std::string_view(pattern).substr(0, pattern.size() - 1);
    if (!task.starts_with(start) || start.size() < best_size) continue;
    best = &accuracy;
    best_size = start.size();
  }
  return *best;
}

Mistake draw_mistake(const ReaderMistakes& shares, bool several_parts, Random& random) {
  const double partial = several_parts ? shares.partial : 0;
  const double all = partial + shares.wrong_binding + shares.empty + shares.truncated;
  const double drawn = random.uniform() * all;
  if (drawn < partial) return Mistake::kPartial;
  if (drawn < partial + shares.empty) return Mistake::kEmpty;
  if (drawn < partial + shares.empty + shares.truncated) return Mistake::kTruncated;
  return Mistake::kWrongBinding;
}

bool is_word_byte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || (c & 0x80) != 0;
}

bool is_number(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

// The words of the prompt that could be taken for `reference`: numbers of as many digits, else
// words of about its length. One word stands for each.
std::vector<std::string> look_alikes(std::string_view prompt, const std::string& reference,
                                     const std::vector<std::string>& references) {
  std::set<std::string, std::less<>> found;
  constexpr size_t kEnough = 200;
  for (size_t at = 0; at < prompt.size() && found.size() < kEnough;) {
    size_t end = at;
    while (end < prompt.size() && is_word_byte(prompt[end])) ++end;
    const std::string_view word = prompt.substr(at, end - at);
    at = end + 1;
    const bool alike = is_number(reference) ? is_number(word) && word.size() == reference.size()
                                            : !is_number(word) && word.size() >= 3 &&
                                                  word.size() + 3 >= reference.size() &&
                                                  word.size() <= reference.size() + 3;
    if (alike && std::ranges::find(references, word) == references.end()) found.emplace(word);
  }
  return {found.begin(), found.end()};
}

std::string wrong_value(const Request& request, const std::string& reference, Random& random) {
  const std::vector<std::string> words =
      look_alikes(*request.prompt, reference, request.answer_key->references);
  if (!words.empty()) return words[random.below(words.size())];
  if (!is_number(reference)) return "unknown";
  std::string digits = reference;  // nothing alike in the prompt: an invented number
  for (char& digit : digits) digit = static_cast<char>('0' + random.below(10));
  if (digits == reference)
    digits.front() = digits.front() == '9' ? '1' : static_cast<char>(digits.front() + 1);
  return digits;
}

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format(" {}", fmt::join(parts, ", "));
}

}  // namespace

double right_probability(const ReaderAccuracy& accuracy, int64_t length, double depth) {
  const double ratio = static_cast<double>(std::max<int64_t>(1, length)) / accuracy.half_length;
  const double kept = 1 / (1 + std::pow(ratio, accuracy.steepness));
  const double by_length = accuracy.floor + (accuracy.top - accuracy.floor) * kept;
  const double distance = (depth - accuracy.worst) / accuracy.width;
  return std::clamp(by_length * (1 - accuracy.dip * std::exp(-distance * distance)), 0.0, 1.0);
}

SimulatedAnswer simulated_answer(const ReaderProfile& profile, uint64_t seed,
                                 const Request& request) {
  const AnswerKey& key = *request.answer_key;
  const RandomKey sample_key =
      RandomKey(seed).with(request.id).with(static_cast<uint64_t>(request.decoding.seed));
  if (!key.in_prompt && !key.references.empty()) {  // it can only guess
    Random guess(sample_key, "guess");
    return {.text = " " + wrong_value(request, key.references.front(), guess)};
  }
  const double right =
      right_probability(accuracy_for(profile, key.task), key.length_tokens, key.depth);
  if (Random(sample_key, "right").uniform() < right || key.references.empty())
    return {.text = joined(key.references)};

  Random random(sample_key, "mistake");
  std::vector<std::string> parts = key.references;
  switch (draw_mistake(profile.mistakes, parts.size() > 1, random)) {
    case Mistake::kPartial:
      parts.resize(1 + random.below(parts.size() - 1));
      return {.text = joined(parts)};
    case Mistake::kEmpty:
      return {};
    case Mistake::kTruncated: {
      const std::string whole = joined(parts);
      size_t cut = whole.size() / 2;
      while (cut > 0 && (whole[cut] & 0xC0) == 0x80) --cut;
      return {.text = whole.substr(0, cut), .stop = StopReason::kLength};
    }
    case Mistake::kWrongBinding:
      break;
  }
  std::string& part = parts[random.below(parts.size())];
  part = wrong_value(request, part, random);
  return {.text = joined(parts)};
}

}  // namespace fathom
