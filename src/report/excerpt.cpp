#include "report/excerpt.h"

#include <algorithm>

#include "text/utf8.h"

namespace fathom {
namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// The nearest character borders outside of `span`; a run of stray continuation bytes ends the
// search.
ByteSpan on_borders(const std::string& text, ByteSpan span) {
  for (int steps = 0; steps < 3 && span.begin > 0 && continues_character(text[span.begin]); ++steps)
    --span.begin;
  for (int steps = 0; steps < 3 && span.end < text.size() && continues_character(text[span.end]);
       ++steps)
    ++span.end;
  return span;
}

std::vector<ByteSpan> merged(std::vector<ByteSpan> spans) {
  std::sort(spans.begin(), spans.end());
  std::vector<ByteSpan> out;
  for (const ByteSpan& span : spans) {
    if (!out.empty() && span.begin <= out.back().end) {
      out.back().end = std::max(out.back().end, span.end);
    } else {
      out.push_back(span);
    }
  }
  return out;
}

uint64_t total_size(const std::vector<ByteSpan>& spans) {
  uint64_t size = 0;
  for (const ByteSpan& span : spans) size += span.end - span.begin;
  return size;
}

// What to show, in the order of importance: the end of the prompt, evidence, distractors.
std::vector<ByteSpan> wanted_spans(const Sample& sample, uint64_t size,
                                   const ExcerptLimits& limits) {
  std::vector<ByteSpan> wanted = {{size - std::min(size, limits.end_bytes), size}};
  for (const bool distractor : {false, true})
    for (const Evidence& evidence : sample.evidence) {
      if (evidence.distractor != distractor || evidence.bytes.begin >= size) continue;
      const uint64_t begin =
          evidence.bytes.begin - std::min(evidence.bytes.begin, limits.around_bytes);
      const uint64_t end = std::min(std::min(evidence.bytes.end, size) + limits.around_bytes, size);
      if (begin < end) wanted.push_back({begin, end});
    }
  return wanted;
}

std::vector<ByteSpan> spans_within_limit(const std::vector<ByteSpan>& wanted, uint64_t limit) {
  std::vector<ByteSpan> shown;
  for (ByteSpan span : wanted) {
    const uint64_t used = total_size(shown);
    if (used >= limit) break;
    span.end = std::min(span.end, span.begin + (limit - used));
    shown.push_back(span);
    shown = merged(std::move(shown));
  }
  return shown;
}

ByteSpan common_part(const ByteSpan& a, const ByteSpan& b) {
  const uint64_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

std::vector<ExcerptMark> marks_within(const Sample& sample, const ByteSpan& part) {
  std::vector<ExcerptMark> marks;
  const auto add = [&](const Evidence& evidence, const ByteSpan& bytes, bool answer) {
    const ByteSpan common = common_part(bytes, part);
    if (common.begin == common.end) return;
    marks.push_back({.bytes = {common.begin - part.begin, common.end - part.begin},
                     .role = evidence.role,
                     .distractor = evidence.distractor,
                     .answer = answer});
  };
  for (const Evidence& evidence : sample.evidence) {
    add(evidence, evidence.bytes, false);
    add(evidence, evidence.answer_bytes, true);
  }
  std::stable_sort(marks.begin(), marks.end(), [](const ExcerptMark& a, const ExcerptMark& b) {
    return a.bytes.begin < b.bytes.begin;
  });
  return marks;
}

// Repairs the text piece by piece between the edges of marks, and moves the marks along.
void repair(ExcerptPart& part) {
  if (is_valid_utf8(part.text)) return;
  std::vector<uint64_t> edges = {0, part.text.size()};
  for (const ExcerptMark& mark : part.marks) {
    edges.push_back(mark.bytes.begin);
    edges.push_back(mark.bytes.end);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::string text;
  std::vector<uint64_t> moved = {0};
  for (size_t i = 0; i + 1 < edges.size(); ++i) {
    text += repair_utf8(std::string_view(part.text).substr(edges[i], edges[i + 1] - edges[i]));
    moved.push_back(text.size());
  }
  const auto new_place = [&](uint64_t edge) {
    const auto found = std::lower_bound(edges.begin(), edges.end(), edge);
    return moved[static_cast<size_t>(found - edges.begin())];
  };
  for (ExcerptMark& mark : part.marks)
    mark.bytes = {new_place(mark.bytes.begin), new_place(mark.bytes.end)};
  part.text = std::move(text);
}

}  // namespace

std::vector<ExcerptPart> excerpt_of(const Sample& sample, const ExcerptLimits& limits) {
  const std::string text = sample.full_text();
  const std::vector<ByteSpan> wanted = wanted_spans(sample, text.size(), limits);
  std::vector<ByteSpan> shown = spans_within_limit(wanted, limits.total_bytes);
  for (ByteSpan& span : shown) span = on_borders(text, span);
  std::vector<ExcerptPart> parts;
  for (const ByteSpan& span : merged(std::move(shown))) {
    ExcerptPart part{.offset = span.begin, .text = text.substr(span.begin, span.end - span.begin)};
    if (part.text.empty()) continue;
    part.marks = marks_within(sample, span);
    repair(part);
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace fathom
