#include "report/page_cases.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "io/json.h"
#include "text/utf8.h"

namespace fathom {
namespace {

constexpr size_t kAnswerBytes = 2000;
constexpr size_t kDetailBytes = 500;

// A part of the prompt as runs of equally marked text; of overlapping marks evidence wins over
// distractors.
Json pieces_json(const ExcerptPart& part) {
  std::set<uint64_t> edges = {0, part.text.size()};
  for (const ExcerptMark& mark : part.marks) edges.insert({mark.bytes.begin, mark.bytes.end});
  Json pieces = Json::array();
  for (auto edge = edges.begin(); std::next(edge) != edges.end(); ++edge) {
    const ByteSpan span{*edge, *std::next(edge)};
    const ExcerptMark* shown = nullptr;
    bool answer = false;
    for (const ExcerptMark& mark : part.marks) {
      if (mark.bytes.begin > span.begin || mark.bytes.end < span.end) continue;
      if (shown == nullptr || (shown->distractor && !mark.distractor)) {
        shown = &mark;
        answer = false;
      }
      if (mark.distractor == shown->distractor) answer = answer || mark.answer;
    }
    Json piece = {{"text", part.text.substr(span.begin, span.end - span.begin)}};
    if (shown != nullptr) {
      piece["role"] = shown->role;
      piece["distractor"] = shown->distractor;
      piece["answer"] = answer;
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

// At most `limit` bytes of valid UTF-8 from the start of `text`.
std::string capped(const std::string& text, size_t limit, bool& cut) {
  std::string out = repair_utf8(std::string_view(text).substr(0, limit + 4));
  cut = text.size() > limit;
  if (out.size() <= limit) return out;
  size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0) == 0x80) --end;
  out.resize(end);
  return out;
}

// Wrong answers first, then failures, partly right ones, right ones, those not run.
constexpr size_t kCaseClasses = 5;
size_t case_class(const Results& results, size_t row) {
  const std::optional<size_t>& score = results.rows[row].score;
  if (!score) return 4;
  const std::optional<double>& official = results.scores[*score].official;
  if (!official) return 1;
  if (*official <= 0) return 0;
  return *official < 1 ? 2 : 3;
}

size_t pair_class(PairOutcome outcome) {
  switch (outcome) {
    case PairOutcome::kLost:
      return 0;
    case PairOutcome::kGained:
      return 1;
    case PairOutcome::kBothWrong:
      return 2;
    case PairOutcome::kBothRight:
      return 3;
  }
  return 3;
}

// Places 0..n-1 dealt out in turn: one of each class and cell, classes first, until `limit`.
class Dealer {
 public:
  Dealer(size_t classes, size_t cells) : cells_(cells), queues_(classes * cells) {}

  void add(size_t place, size_t kind, size_t cell) {
    auto& queue = queues_[kind * cells_ + cell];
    queue.push_back(place);
    longest_ = std::max(longest_, queue.size());
  }

  [[nodiscard]] std::vector<size_t> deal(size_t limit) const {
    std::vector<size_t> chosen;
    for (size_t round = 0; round < longest_ && chosen.size() < limit; ++round)
      for (const auto& queue : queues_)
        if (round < queue.size() && chosen.size() < limit) chosen.push_back(queue[round]);
    return chosen;
  }

 private:
  size_t cells_;
  size_t longest_ = 0;
  std::vector<std::vector<size_t>> queues_;
};

size_t cell_of(const Results& results, size_t row) {
  return results.rows[row].task * results.lengths.size() + results.rows[row].length;
}

CasePrompt prompt_of(const Sample& sample) {
  CasePrompt prompt{.hash = sample.hash(),
                    .question = repair_utf8(sample.question),
                    .references = sample.references,
                    .notes = sample.notes,
                    .expected_tokens = sample.tokens.prompt,
                    .bytes = sample.prompt.size() + sample.answer_prefix.size(),
                    .excerpt = excerpt_of(sample),
                    .places = {}};
  for (const bool distractor : {false, true})
    for (const Evidence& evidence : sample.evidence)
      if (evidence.distractor == distractor && prompt.places.size() < kMostPlaces)
        prompt.places.push_back({evidence.depth, evidence.role, distractor, evidence.tokens});
  return prompt;
}

}  // namespace

std::vector<size_t> choose_cases(const Results& results, size_t limit) {
  Dealer dealer(kCaseClasses, results.cells.size());
  for (size_t row = 0; row < results.rows.size(); ++row)
    dealer.add(row, case_class(results, row), cell_of(results, row));
  return dealer.deal(limit);
}

std::vector<size_t> choose_pairs(const Comparison& comparison, const Results& baseline,
                                 size_t limit) {
  Dealer dealer(4, baseline.cells.size());
  for (size_t i = 0; i < comparison.samples.size(); ++i) {
    const ComparedSample& sample = comparison.samples[i];
    dealer.add(i, pair_class(sample.outcome), cell_of(baseline, sample.row_a));
  }
  return dealer.deal(limit);
}

CaseDetail make_case(size_t row, const Sample& sample, const Attempt* attempt,
                     const ScoredAttempt* score) {
  CaseDetail detail{.row = row, .prompt = prompt_of(sample)};
  if (score != nullptr) {
    detail.found = score->found;
    detail.misses = score->misses;
  }
  if (attempt == nullptr) return detail;
  bool cut = false;
  detail.thinking = capped(attempt->reply.thinking, kAnswerBytes, cut);
  detail.detail = capped(attempt->detail, kDetailBytes, cut);
  detail.answer = capped(attempt->reply.text, kAnswerBytes, detail.answer_cut);
  detail.first_token_ms = attempt->reply.first_token_ms;
  detail.total_ms = attempt->reply.total_ms;
  detail.output_tokens = attempt->reply.usage.output;
  detail.thinking_tokens = attempt->reply.usage.thinking;
  detail.reported_prompt_tokens = attempt->reply.usage.input;
  if (score != nullptr) detail.tries = score->spent.tries;
  return detail;
}

std::string prompt_json(const CasePrompt& prompt) {
  Json excerpt = Json::array();
  for (const ExcerptPart& part : prompt.excerpt)
    excerpt.push_back({{"offset", part.offset}, {"pieces", pieces_json(part)}});
  Json places = Json::array();
  for (const CasePrompt::Place& place : prompt.places)
    places.push_back({{"at", std::round(place.at * 1e4) / 1e4},
                      {"role", place.role},
                      {"distractor", place.distractor}});
  return to_json_line({{"question", prompt.question},
                       {"references", prompt.references},
                       {"notes", prompt.notes},
                       {"expected_prompt_tokens", prompt.expected_tokens},
                       {"bytes", prompt.bytes},
                       {"places", std::move(places)},
                       {"excerpt", std::move(excerpt)}});
}

std::string case_json(const CaseDetail& detail, size_t prompt) {
  Json found = Json::array();
  for (const bool one : detail.found) found.push_back(one);
  Json misses = Json::array();
  for (const MissNote& miss : detail.misses) {
    bool cut = false;
    misses.push_back({{"kind", static_cast<int>(miss.kind)},
                      {"detail", capped(miss.detail, kDetailBytes, cut)}});
  }
  return to_json_line({{"sample", detail.row},
                       {"prompt", prompt},
                       {"found", std::move(found)},
                       {"answer", detail.answer},
                       {"answer_cut", detail.answer_cut},
                       {"thinking", detail.thinking},
                       {"detail", detail.detail},
                       {"misses", std::move(misses)},
                       {"first_token_ms", std::round(detail.first_token_ms)},
                       {"total_ms", std::round(detail.total_ms)},
                       {"output_tokens", detail.output_tokens},
                       {"thinking_tokens", detail.thinking_tokens},
                       {"prompt_tokens", detail.reported_prompt_tokens},
                       {"tries", detail.tries}});
}

}  // namespace fathom
