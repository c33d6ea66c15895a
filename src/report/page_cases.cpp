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

}  // namespace

std::vector<size_t> choose_cases(const Results& results, size_t limit) {
  std::vector<std::vector<size_t>> queues(results.cells.size() * kCaseClasses);
  size_t longest = 0;
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const size_t cell = results.rows[row].task * results.lengths.size() + results.rows[row].length;
    auto& queue = queues[case_class(results, row) * results.cells.size() + cell];
    queue.push_back(row);
    longest = std::max(longest, queue.size());
  }
  std::vector<size_t> chosen;
  for (size_t round = 0; round < longest && chosen.size() < limit; ++round)
    for (const auto& queue : queues)
      if (round < queue.size() && chosen.size() < limit) chosen.push_back(queue[round]);
  return chosen;
}

CaseDetail make_case(size_t row, const Sample& sample, const Attempt* attempt,
                     const std::vector<bool>& found) {
  CaseDetail detail{.row = row,
                    .question = repair_utf8(sample.question),
                    .references = sample.references,
                    .found = found,
                    .answer = "",
                    .thinking = "",
                    .detail = "",
                    .excerpt = excerpt_of(sample),
                    .notes = sample.notes};
  if (attempt == nullptr) return detail;
  bool cut = false;
  detail.thinking = capped(attempt->reply.thinking, kAnswerBytes, cut);
  detail.detail = capped(attempt->detail, kDetailBytes, cut);
  detail.answer = capped(attempt->reply.text, kAnswerBytes, detail.answer_cut);
  detail.total_ms = attempt->reply.total_ms;
  detail.output_tokens = attempt->reply.usage.output;
  detail.reported_prompt_tokens = attempt->reply.usage.input;
  return detail;
}

std::string case_json(const CaseDetail& detail, const SampleFacts& sample) {
  Json excerpt = Json::array();
  for (const ExcerptPart& part : detail.excerpt)
    excerpt.push_back({{"offset", part.offset}, {"pieces", pieces_json(part)}});
  Json found = Json::array();
  for (const bool one : detail.found) found.push_back(one);
  return to_json_line({{"sample", detail.row},
                       {"question", detail.question},
                       {"references", detail.references},
                       {"found", std::move(found)},
                       {"answer", detail.answer},
                       {"answer_cut", detail.answer_cut},
                       {"thinking", detail.thinking},
                       {"detail", detail.detail},
                       {"notes", detail.notes},
                       {"total_ms", std::round(detail.total_ms)},
                       {"output_tokens", detail.output_tokens},
                       {"prompt_tokens", detail.reported_prompt_tokens},
                       {"expected_prompt_tokens", sample.prompt_tokens},
                       {"excerpt", std::move(excerpt)}});
}

}  // namespace fathom
