#include "suite/audit_sample.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "base/hash.h"
#include "suite/evidence_tokens.h"

namespace fathom {
namespace {

constexpr size_t kMostPlacedEvidence = 16;  // more pieces are lists of words, not places
constexpr uint64_t kFewestPlaces = 40;      // of pieces this large that the context could hold
constexpr size_t kShortestKeyText = 8;      // bytes of a needle before its value that identify it
constexpr double kDepthSlack = 0.005;

std::string_view part(const std::string& text, ByteSpan span) {
  if (span.begin > span.end || span.end > text.size()) return {};
  return std::string_view(text).substr(span.begin, span.end - span.begin);
}

std::string shortened(std::string_view text) {
  return text.size() <= 60 ? std::string(text) : std::string(text.substr(0, 57)) + "...";
}

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0 || c == '_' || c == '-';
}

// Places of `word` in `text` that are no part of a longer word.
std::vector<size_t> word_places(std::string_view text, std::string_view word) {
  std::vector<size_t> places;
  if (word.empty()) return places;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool starts = at == 0 || !is_word(text[at - 1]) || !is_word(word.front());
    const bool ends = end == text.size() || !is_word(text[end]) || !is_word(word.back());
    if (starts && ends) places.push_back(at);
  }
  return places;
}

class Auditor {
 public:
  Auditor(const Sample& sample, const Tokenizer& tokenizer, const AuditOptions& options)
      : sample_(sample), tokenizer_(tokenizer), options_(options), text_(sample.full_text()) {}

  AuditFacts run() {
    encode();
    facts();
    check_tokens();
    check_length();
    for (size_t i = 0; i < sample_.evidence.size(); ++i) check_evidence(i);
    check_answers();
    check_keys();
    check_frequencies();
    check_reserve();
    return std::move(facts_);
  }

 private:
  void report(FindingKind kind, bool breach, std::string detail) {
    facts_.findings.push_back({kind, breach, sample_.id, std::move(detail)});
  }

  [[nodiscard]] bool is_family(std::string_view name) const {
    return sample_.task.starts_with(name);
  }

  void encode() {
    const EncodeOptions options{.add_special = options_.add_special, .parse_special = true};
    std::vector<TokenId> ids;
    tokenizer_.encode_with_spans(text_, options, ids, spans_);
  }

  void facts() {
    facts_.id = sample_.id;
    facts_.cell = sample_.cell;
    facts_.length = sample_.length;
    facts_.index = sample_.index;
    facts_.variant = sample_.variant;
    facts_.total = sample_.tokens.total;
    facts_.reserve = sample_.tokens.reserve;
    facts_.prompt_hash = hash_hex(text_);
    std::string content = sample_.question;
    for (const std::string& reference : sample_.references) content += '\n' + reference;
    facts_.content_hash = hash_hex(content);
    std::string layout;
    std::set<uint64_t> blocks;
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
    const auto block = static_cast<uint64_t>(std::max<int64_t>(1, options_.block_tokens));
    for (const Evidence& each : sample_.evidence) {
      if (each.distractor) continue;
      ++facts_.evidence;
      layout += std::to_string(each.tokens.begin) + ",";
      first = std::min(first, each.tokens.begin);
      last = std::max(last, each.tokens.end);
      for (uint64_t b = each.tokens.begin / block; b * block < each.tokens.end; ++b) {
        blocks.insert(b);
      }
    }
    facts_.layout_hash = hash_hex(layout);
    facts_.blocks = static_cast<int64_t>(blocks.size());
    if (facts_.evidence > 0) {
      facts_.span = static_cast<int64_t>(last - first);
      facts_.distance = static_cast<int64_t>(spans_.size()) - static_cast<int64_t>(last);
    }
    placement();
  }

  void placement() {
    const auto& parameters = sample_.parameters.all();
    const auto depth = parameters.find("depth");
    const auto spread = parameters.find("spread");
    const bool uniform =
        depth == parameters.end() || depth->second == ParameterValue(std::string("uniform"));
    const bool wide = spread == parameters.end() || spread->second == ParameterValue(1.0);
    facts_.layout_free = uniform && !sample_.variant.is_control();
    facts_.depths_drawn = uniform && wide && facts_.evidence > 0 &&
                          facts_.evidence <= kMostPlacedEvidence && !is_family("cwe") &&
                          !is_family("fwe");
    if (!facts_.depths_drawn) return;
    for (const Evidence& each : sample_.evidence) {
      if (!each.distractor && !is_nested(each)) add_place(each.bytes);
    }
  }

  // A sentence inside a gold document lies where the document does: it says nothing of its own.
  [[nodiscard]] bool is_nested(const Evidence& inner) const {
    return std::any_of(
        sample_.evidence.begin(), sample_.evidence.end(), [&](const Evidence& outer) {
          return !outer.distractor && outer.bytes != inner.bytes &&
                 outer.bytes.begin <= inner.bytes.begin && inner.bytes.end <= outer.bytes.end;
        });
  }

  // Where it lies among the places it could have: 0 = first, 1 = last. Among a few large documents
  // the places are too coarse to be held against a uniform distribution.
  void add_place(const ByteSpan& bytes) {
    const uint64_t size = bytes.end - bytes.begin;
    const uint64_t context = sample_.context.end - sample_.context.begin;
    if (size * kFewestPlaces > context) return;
    facts_.depths.push_back(
        static_cast<float>(static_cast<double>(bytes.begin - sample_.context.begin) /
                           static_cast<double>(context - size)));
  }

  void check_tokens() {
    const auto counted = static_cast<int64_t>(spans_.size());
    if (counted == sample_.tokens.prompt) return;
    report(
        FindingKind::kTokenCount, true,
        fmt::format("the prompt is {} tokens, the sample says {}", counted, sample_.tokens.prompt));
  }

  void check_length() {
    int64_t total = static_cast<int64_t>(spans_.size());
    if (options_.length_counts == LengthCounts::kPromptAndReserve) total += sample_.tokens.reserve;
    if (options_.length_counts == LengthCounts::kContext) total = sample_.tokens.context;
    if (total != sample_.tokens.total) {
      report(FindingKind::kLength, true,
             fmt::format("{} counts {} tokens, the sample says {}", to_text(options_.length_counts),
                         total, sample_.tokens.total));
    }
    const bool control = sample_.variant.is_control();
    if (control != (sample_.length == 0)) {
      report(FindingKind::kLength, true,
             control
                 ? fmt::format("a control has no length, and this sample has {}", sample_.length)
                 : std::string("a sample without a length is no control"));
      return;
    }
    const int64_t off = control ? 0 : total - sample_.length;
    if (std::abs(off) > options_.allowed_off_by) {
      report(FindingKind::kLength, true,
             fmt::format("{} tokens for a length of {}", total, sample_.length));
    } else if (off != sample_.off_by) {
      report(FindingKind::kLength, true,
             fmt::format("misses its length by {}, the sample says {}", off, sample_.off_by));
    }
  }

  void check_evidence(size_t place) {
    const Evidence& each = sample_.evidence[place];
    const auto wrong = [&](const std::string& what) {
      report(FindingKind::kEvidenceSpan, true,
             fmt::format("evidence {} ({}): {}", place, each.role, what));
    };
    if (each.bytes.end > text_.size() || each.bytes.begin >= each.bytes.end) {
      wrong("its bytes are outside the prompt");
      return;
    }
    const TokenSpan tokens = tokens_touching(spans_, each.bytes);
    if (tokens != each.tokens) {
      wrong(fmt::format("its tokens are {}..{}, not {}..{}", tokens.begin, tokens.end,
                        each.tokens.begin, each.tokens.end));
    }
    const ByteSpan answer = each.answer_bytes;
    if (answer.end > 0 && (answer.begin < each.bytes.begin || answer.end > each.bytes.end)) {
      wrong("its answer lies outside it");
    }
    const ByteSpan context = sample_.context;
    if (context.end > context.begin && each.bytes.begin >= context.begin) {
      const double depth = static_cast<double>(each.bytes.begin - context.begin) /
                           static_cast<double>(context.end - context.begin);
      if (std::abs(depth - each.depth) > kDepthSlack) {
        wrong(fmt::format("its depth is {:.3f}, not {:.3f}", depth, each.depth));
      }
    }
  }

  // Each reference stands in its evidence, and nowhere else by accident.
  void check_answers() {
    if (sample_.variant.control() == kNoContext) {
      check_left_out();
      return;
    }
    size_t found = 0;
    for (const std::string& reference : sample_.references) {
      if (reference.empty()) {
        report(FindingKind::kAnswerMissing, true, "a reference is empty");
        continue;
      }
      bool inside = false;
      for (const Evidence& each : sample_.evidence) {
        if (each.distractor) continue;
        inside = inside || part(text_, each.bytes).find(reference) != std::string_view::npos;
        if (inside) break;
      }
      found += inside ? 1 : 0;
      if (!inside && sample_.metric != Metric::kStringMatchPart) {
        report(FindingKind::kAnswerMissing, true,
               fmt::format("\"{}\" stands in no evidence", shortened(reference)));
      }
      check_elsewhere(reference);
    }
    const bool part_metric = sample_.metric == Metric::kStringMatchPart;
    if (part_metric && found == 0) {
      const bool spoken =
          std::any_of(sample_.references.begin(), sample_.references.end(),
                      [](const std::string& each) { return each == "yes" || each == "no"; });
      report(FindingKind::kAnswerMissing, !spoken,
             fmt::format("no reference (\"{}\" …) stands in the evidence",
                         sample_.references.empty() ? "" : shortened(sample_.references[0])));
    }
  }

  // Without a context there is nothing to find: neither evidence nor, outside a solved example, the
  // answer itself. Of questions it may be a word that the question has too.
  void check_left_out() {
    if (!sample_.evidence.empty()) {
      report(FindingKind::kEvidenceSpan, true, "evidence in a sample without a context");
    }
    for (const std::string& reference : sample_.references) {
      if (word_places(text_, reference).empty()) continue;
      report(FindingKind::kAnswerElsewhere, sample_.metric != Metric::kStringMatchPart,
             fmt::format("\"{}\" stands in a prompt without its context", shortened(reference)));
    }
  }

  // Only where one occurrence is the answer: words of counting tasks occur many times.
  void check_elsewhere(const std::string& reference) {
    if (is_family("cwe") || is_family("fwe") || is_family("set_")) return;
    const std::string_view context = part(text_, sample_.context);
    size_t outside = 0;
    for (const size_t at : word_places(context, reference)) {
      const uint64_t begin = at + sample_.context.begin;
      const Evidence* holder = nullptr;
      for (const Evidence& each : sample_.evidence) {
        if (begin >= each.bytes.begin && begin < each.bytes.end) {
          if (holder == nullptr || !each.distractor) holder = &each;
        }
      }
      if (holder == nullptr) {
        ++outside;
      } else if (holder->distractor) {
        report(FindingKind::kCollision, is_family("niah"),
               fmt::format("a distractor holds the answer \"{}\"", shortened(reference)));
      }
    }
    if (outside > 0) {
      report(FindingKind::kAnswerElsewhere, is_family("niah"),
             fmt::format("\"{}\" occurs {} times outside the evidence", shortened(reference),
                         outside));
    }
  }

  // Needles: the text up to the value names the key; another needle with the same one makes the
  // question ambiguous.
  void check_keys() {
    if (!is_family("niah")) return;
    std::map<std::string_view, size_t> expected;
    for (const Evidence& each : sample_.evidence) {
      if (each.distractor || each.answer_bytes.end == 0) continue;
      const std::string_view key = part(text_, {each.bytes.begin, each.answer_bytes.begin});
      if (key.size() >= kShortestKeyText) ++expected[key];
    }
    const std::string_view context = part(text_, sample_.context);
    for (const auto& [key, times] : expected) {
      size_t found = 0;
      for (size_t at = context.find(key); at != std::string_view::npos;
           at = context.find(key, at + 1)) {
        ++found;
      }
      if (found > times) {
        report(FindingKind::kCollision, true,
               fmt::format("\"{}\" stands {} times, {} of them as evidence", shortened(key), found,
                           times));
      }
    }
  }

  // Counting tasks: every answer must be more frequent than every other word.
  void check_frequencies() {
    if (!is_family("cwe") && !is_family("fwe")) return;
    if (sample_.variant.control() == kNoContext) return;
    std::unordered_map<std::string_view, int64_t> counts;
    const std::string_view context = part(text_, sample_.context);
    size_t at = 0;
    while (at < context.size()) {
      const size_t begin = context.find_first_not_of(" \n", at);
      if (begin == std::string_view::npos) break;
      const size_t end = std::min(context.find_first_of(" \n", begin), context.size());
      const std::string_view word = context.substr(begin, end - begin);
      const bool letters = std::any_of(word.begin(), word.end(), [](char c) {
        return is_word(c) && c != '_' && c != '-' &&
               std::isdigit(static_cast<unsigned char>(c)) == 0;
      });
      if (letters) ++counts[word];
      at = end;
    }
    int64_t rarest = INT64_MAX;
    const std::set<std::string_view> answers(sample_.references.begin(), sample_.references.end());
    for (const std::string_view answer : answers) {
      const auto found = counts.find(answer);
      rarest = std::min(rarest, found == counts.end() ? 0 : found->second);
    }
    for (const auto& [word, count] : counts) {
      if (answers.contains(word) || count < rarest) continue;
      // Of an imported sample nobody says where the list begins, so words of the instruction are
      // among those counted.
      const bool is_list = sample_.context.begin > 0 || sample_.context.end < sample_.prompt.size();
      report(FindingKind::kTie, is_list,
             fmt::format("\"{}\" occurs {} times, the rarest answer {} times", shortened(word),
                         count, rarest));
      return;
    }
  }

  void check_reserve() {
    size_t longest = 0;
    std::string joined;
    for (const std::string& reference : sample_.references) {
      const size_t count =
          tokenizer_.count(reference, {.add_special = false, .parse_special = false});
      longest = std::max(longest, count);
      joined += joined.empty() ? reference : ", " + reference;
    }
    facts_.answer_tokens = static_cast<int64_t>(longest);
    if (sample_.metric != Metric::kStringMatchPart) {
      facts_.answer_tokens = static_cast<int64_t>(
          tokenizer_.count(joined, {.add_special = false, .parse_special = false}));
    }
    if (facts_.answer_tokens <= sample_.tokens.reserve) return;
    report(FindingKind::kTruncationRisk, true,
           fmt::format("the answer takes {} tokens, {} are kept for it", facts_.answer_tokens,
                       sample_.tokens.reserve));
  }

  const Sample& sample_;
  const Tokenizer& tokenizer_;
  const AuditOptions& options_;
  const std::string text_;
  std::vector<ByteSpan> spans_;
  AuditFacts facts_;
};

}  // namespace

AuditFacts audit_sample(const Sample& sample, const Tokenizer& tokenizer,
                        const AuditOptions& options) {
  return Auditor(sample, tokenizer, options).run();
}

}  // namespace fathom
