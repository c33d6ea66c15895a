#include "tokenizer/word_splitter.h"

#include <utility>

#include "tokenizer/split_pcre2.h"

namespace fathom {

Result<WordSplitter> WordSplitter::create(const std::vector<SplitStage>& stages) {
  if (stages.size() > kMaxStages)
    return fail(ErrorCode::kInput, "{} split stages, at most {} are supported", stages.size(),
                kMaxStages);
  WordSplitter splitter;
  for (const SplitStage& stage : stages) {
    std::unique_ptr<SplitRule> rule;
    if (const auto grammar = known_grammar(stage.pattern)) rule = make_split_rule(*grammar);
    if (const auto run = known_class_run(stage.pattern); run && !rule) rule = make_split_rule(*run);
    if (!rule) {
      TRY(rule, make_pcre2_rule(stage.pattern));
      splitter.slow_paths_.push_back("split by PCRE2: " + stage.pattern);
    }
    splitter.stages_.push_back(std::move(rule));
  }
  return splitter;
}

size_t WordSplitter::next(std::string_view text, Cursor& cursor, size_t* ends, size_t max) const {
  if (stages_.empty()) {
    if (cursor.position == text.size()) return 0;
    ends[0] = cursor.position = text.size();
    return 1;
  }
  size_t n = 0;
  const size_t last = stages_.size() - 1;
  while (n < max && cursor.position < text.size()) {
    ByteSpan range{0, text.size()};
    for (size_t stage = 0; stage < last; ++stage) {
      ByteSpan& piece = cursor.pieces[stage];
      if (cursor.position >= piece.end) {
        piece.begin = cursor.position;
        size_t end = 0;
        stages_[stage]->split(text, range, cursor.position, &end, 1);
        piece.end = end;
      }
      range = piece;
    }
    n += stages_[last]->split(text, range, cursor.position, ends + n, max - n);
    cursor.position = ends[n - 1];
  }
  return n;
}

}  // namespace fathom
