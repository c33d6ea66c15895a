// Limits that end hostile chat templates: endless loops and recursion, texts that double, lists
// that hold themselves. llama.cpp's Jinja engine has none, so its syntax tree is rewritten after
// parsing: each node that can make work or text reports what it makes.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace jinja {
struct lexer_result;
struct program;
}  // namespace jinja

namespace fathom {

// What one rendering may spend on the calling thread while this object lives: a measure of bytes
// made and steps taken. Exceeding it throws std::runtime_error inside the engine. Nests.
class RenderBudget {
 public:
  explicit RenderBudget(uint64_t content_bytes);
  ~RenderBudget();
  RenderBudget(const RenderBudget&) = delete;
  RenderBudget& operator=(const RenderBudget&) = delete;

  static void spend(uint64_t cost);  // throws when the budget of this thread is used up
  static void enter();               // a macro call; throws when nested too deep
  static void leave();

 private:
  uint64_t left_;
  int depth_ = 0;
  RenderBudget* outer_;
};

// Refuses sources whose nesting would overflow the parser's stack. Errors: kInput without a place.
[[nodiscard]] Result<void> check_template_nesting(const jinja::lexer_result& tokens);

// Puts the limits into a parsed template.
void limit_template(jinja::program& program);

}  // namespace fathom
