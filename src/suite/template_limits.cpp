#include "suite/template_limits.h"

#include <jinja/lexer.h>
#include <jinja/runtime.h>

#include <algorithm>
#include <stdexcept>

namespace fathom {
namespace {

using jinja::context;
using jinja::statement_ptr;
using jinja::statements;
using jinja::value;

constexpr uint64_t kBaseBudget = 128 << 20;
constexpr uint64_t kBudgetPerContentByte = 200;
constexpr uint64_t kStepCost = 500;
constexpr uint64_t kIterationCost = 3'000;  // the engine copies all variables for each
constexpr int kMaxMacroDepth = 50;
constexpr uint64_t kMaxRange = 100'000;  // as Jinja2's sandbox
constexpr int kMaxValueDepth = 40;
constexpr size_t kMaxNesting = 60;
constexpr size_t kMaxExpressionTokens = 4'000;

thread_local RenderBudget* current_budget = nullptr;

uint64_t text_size(const jinja::value_t& text) {
  uint64_t size = 8;
  for (const auto& part : text.val_str.parts) size += part.val.size() + 40;
  return size;
}

// Bytes of a value with everything below it, spent as it is counted: a list that holds itself ends
// here, not on the stack.
void spend_value(const value& what, int depth = 0) {
  if (!what) return;
  if (depth > kMaxValueDepth) throw std::runtime_error("a value nested too deep");
  RenderBudget::spend(32 + text_size(*what));
  for (const value& item : what->val_arr) spend_value(item, depth + 1);
  for (const auto& [key, item] : what->val_obj) {
    spend_value(key, depth + 1);
    spend_value(item, depth + 1);
  }
}

// Of a value that was just changed: one that holds itself is emptied before the error leaves, or
// its parts would keep each other in memory for ever.
void spend_changed(value changed) {
  try {
    spend_value(changed);
  } catch (const std::runtime_error&) {
    changed->val_arr.clear();
    changed->val_obj.clear();
    if (auto* object = jinja::cast_val<jinja::value_object>(changed)) object->unordered.clear();
    throw;
  }
}

uint64_t length_of(const value& what) { return what ? text_size(*what) : 0; }

// What a built-in could make of its input and arguments, spent before it runs.
void spend_call(const std::string& name, const value& input, const std::vector<value>& args) {
  if (input) spend_value(input);
  uint64_t longest = 0;
  uint64_t largest = 0;
  for (const value& arg : args) {
    const auto* keyword = jinja::cast_val<jinja::value_kwarg>(arg);
    const value& plain = keyword != nullptr ? keyword->val : arg;
    longest = std::max(longest, length_of(plain));
    if (jinja::is_val<jinja::value_int>(plain)) {
      largest = std::max(largest, static_cast<uint64_t>(std::max<int64_t>(0, plain->as_int())));
    }
  }
  const uint64_t size = length_of(input) + (input ? 64 * input->val_arr.size() : 0);
  if (name == "replace" || name == "join") RenderBudget::spend(size * longest);
  if (name == "indent" || name == "tojson") {
    RenderBudget::spend(size * std::max(longest, std::min<uint64_t>(largest, kBaseBudget)));
  }
  if (name == "list" || name == "split" || name == "rsplit" || name == "items") {
    RenderBudget::spend(size * 100);
  }
  if (name == "sort" || name == "dictsort" || name == "unique") RenderBudget::spend(size * 20);
}

void spend_range(const std::vector<value>& args) {
  std::vector<int64_t> numbers;
  for (const value& arg : args) {
    if (jinja::is_val<jinja::value_int>(arg)) numbers.push_back(arg->as_int());
  }
  if (numbers.empty() || numbers.size() != args.size()) return;
  const int64_t start = numbers.size() > 1 ? numbers[0] : 0;
  const int64_t stop = numbers.size() > 1 ? numbers[1] : numbers[0];
  const int64_t step = numbers.size() > 2 ? numbers[2] : 1;
  if (step == 0) return;
  const double count =
      (static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step);
  if (count > static_cast<double>(kMaxRange)) {
    throw std::runtime_error("range() of more than 100000 numbers");
  }
  if (count > 0) RenderBudget::spend(static_cast<uint64_t>(count) * 300);
}

// A value that was computed already, in a place where the engine wants an expression.
struct ValueNode : jinja::expression {
  explicit ValueNode(value known) : known_(std::move(known)) {}
  [[nodiscard]] std::string type() const override { return "Value"; }
  value execute_impl(context&) const override { return known_; }
  value known_;
};

statement_ptr node_of(value known) { return std::make_unique<ValueNode>(std::move(known)); }

struct LimitedBinary : jinja::binary_expression {
  using binary_expression::binary_expression;
  value execute_impl(context& ctx) const override {
    RenderBudget::spend(kStepCost);
    if (op.value != "~" && op.value != "+" && op.value != "*") {
      return binary_expression::execute_impl(ctx);
    }
    value a = left->execute(ctx);
    value b = right->execute(ctx);
    spend_value(a);
    spend_value(b);
    if (op.value == "*") spend_repetition(a, b);
    jinja::binary_expression known(op, node_of(std::move(a)), node_of(std::move(b)));
    return known.execute_impl(ctx);
  }

 private:
  static void spend_repetition(const value& a, const value& b) {
    const bool texts =
        jinja::is_val<jinja::value_string>(a) || jinja::is_val<jinja::value_string>(b);
    if (!texts) return;
    const value& count = jinja::is_val<jinja::value_int>(a) ? a : b;
    const value& text = jinja::is_val<jinja::value_int>(a) ? b : a;
    if (!jinja::is_val<jinja::value_int>(count)) return;
    const auto times = static_cast<uint64_t>(std::max<int64_t>(0, count->as_int()));
    RenderBudget::spend(std::min<uint64_t>(times, uint64_t{1} << 32) * length_of(text));
  }
};

// A filter whose input is known; its arguments are computed once.
value apply_known_filter(context& ctx, value input, const statement_ptr& filter) {
  RenderBudget::spend(kStepCost);
  std::string name;
  statement_ptr known_filter;
  std::vector<value> args;
  if (const auto* id = jinja::cast_stmt<jinja::identifier>(filter)) {
    name = id->val;
    known_filter = std::make_unique<jinja::identifier>(name);
  } else if (const auto* call = jinja::cast_stmt<jinja::call_expression>(filter)) {
    const auto* callee = jinja::cast_stmt<jinja::identifier>(call->callee);
    if (callee == nullptr) throw std::runtime_error("a filter must be a name");
    name = callee->val;
    statements nodes;
    for (const statement_ptr& arg : call->args) {
      args.push_back(arg->execute(ctx));
      nodes.push_back(node_of(args.back()));
    }
    known_filter = std::make_unique<jinja::call_expression>(
        std::make_unique<jinja::identifier>(name), std::move(nodes));
  } else {
    throw std::runtime_error("a filter must be a name");
  }
  spend_call(name, input, args);
  const jinja::filter_expression known(node_of(input), std::move(known_filter));
  value result = known.execute_impl(ctx);
  spend_changed(std::move(input));  // as after a call
  return result;
}

struct LimitedFilter : jinja::filter_expression {
  using filter_expression::filter_expression;
  value execute_impl(context& ctx) const override {
    return apply_known_filter(ctx, operand->execute(ctx), filter);
  }
};

struct LimitedFilterBlock : jinja::filter_statement {
  using filter_statement::filter_statement;
  value execute_impl(context& ctx) const override {
    auto results = jinja::mk_val<jinja::value_array>();
    for (const statement_ptr& part : body) results->push_back(part->execute(ctx));
    return apply_known_filter(ctx, jinja::runtime::gather_string_parts(results), filter);
  }
};

struct LimitedCall : jinja::call_expression {
  using call_expression::call_expression;
  value execute_impl(context& ctx) const override {
    RenderBudget::spend(kStepCost);
    jinja::func_args known(ctx);
    for (const statement_ptr& arg : args) known.push_back(arg->execute(ctx));
    const value called = callee->execute(ctx);
    const auto* function = jinja::cast_val<jinja::value_func>(called);
    if (function == nullptr) {
      throw std::runtime_error("Callee is not a function: got " + called->type());
    }
    spend_call(function->name, function->arg0, known.get_args());
    if (function->name == "range") spend_range(known.get_args());
    value result = function->invoke(known);
    if (function->arg0) spend_changed(function->arg0);  // append() may have made it hold itself
    return result;
  }
};

// In {% call %}: macros only, because the engine calls what stands here itself.
struct LimitedCallee : jinja::expression {
  explicit LimitedCallee(statement_ptr inner) : inner_(std::move(inner)) {}
  [[nodiscard]] std::string type() const override { return "Callee"; }
  value execute_impl(context& ctx) const override {
    value called = inner_->execute(ctx);
    const auto* function = jinja::cast_val<jinja::value_func>(called);
    if (function == nullptr || function->arg0 || function->name == "range") {
      throw std::runtime_error("{% call %} of something that is no macro");
    }
    return called;
  }
  statement_ptr inner_;
};

// What a loop runs over: each item is paid for before the first.
struct CountedItems : jinja::expression {
  explicit CountedItems(statement_ptr inner) : inner_(std::move(inner)) {}
  [[nodiscard]] std::string type() const override { return inner_->type(); }
  value execute_impl(context& ctx) const override {
    value items = inner_->execute(ctx);
    RenderBudget::spend(kIterationCost * (1 + items->val_arr.size() + items->val_obj.size()));
    return items;
  }
  statement_ptr inner_;
};

// A list, tuple or map: counted with everything below it.
struct CountedValue : jinja::expression {
  explicit CountedValue(statement_ptr inner) : inner_(std::move(inner)) {}
  [[nodiscard]] std::string type() const override { return inner_->type(); }
  value execute_impl(context& ctx) const override {
    value made = inner_->execute(ctx);
    spend_value(made);
    return made;
  }
  statement_ptr inner_;
};

struct LimitedSet : jinja::set_statement {
  using set_statement::set_statement;
  value execute_impl(context& ctx) const override {
    RenderBudget::spend(kStepCost);
    value result = set_statement::execute_impl(ctx);
    if (const auto* member = jinja::cast_stmt<jinja::member_expression>(assignee)) {
      spend_changed(member->object->execute(ctx));
    }
    return result;
  }
};

// What Python's str() gives for values that the engine would write otherwise.
value printed(value made) {
  if (made->is_none()) return jinja::mk_val<jinja::value_string>(std::string("None"));
  const bool container =
      jinja::is_val<jinja::value_array>(made) || jinja::is_val<jinja::value_object>(made);
  return container ? jinja::mk_val<jinja::value_string>(made->as_string()) : std::move(made);
}

// A part of a body: what it gives out is counted.
struct CountedPart : jinja::statement {
  explicit CountedPart(statement_ptr inner) : inner_(std::move(inner)) {}
  [[nodiscard]] std::string type() const override { return inner_->type(); }
  value execute_impl(context& ctx) const override {
    RenderBudget::spend(kStepCost);
    value made = inner_->execute(ctx);
    spend_value(made);
    return jinja::is_stmt<jinja::expression>(inner_) ? printed(std::move(made)) : made;
  }
  statement_ptr inner_;
};

// The body of a macro, which may call itself.
struct MacroBody : jinja::statement {
  explicit MacroBody(statements body) : body_(std::move(body)) {}
  [[nodiscard]] std::string type() const override { return "MacroBody"; }
  value execute_impl(context& ctx) const override {
    RenderBudget::enter();
    auto results = jinja::mk_val<jinja::value_array>();
    for (const statement_ptr& part : body_) results->push_back(part->execute(ctx));
    RenderBudget::leave();
    return results;
  }
  statements body_;
};

template <typename Limited, typename... Args>
void replace(statement_ptr& node, Args&&... args) {
  const size_t pos = node->pos;
  auto limited = std::make_unique<Limited>(std::forward<Args>(args)...);
  limited->pos = pos;
  node = std::move(limited);
}

class Rewriter {
 public:
  void parts(statements& body) {
    for (statement_ptr& part : body) {
      visit(part);
      wrap<CountedPart>(part);
    }
  }

 private:
  template <typename Wrapper>
  static void wrap(statement_ptr& node) {
    const size_t pos = node->pos;
    auto wrapped = std::make_unique<Wrapper>(std::move(node));
    wrapped->pos = pos;
    node = std::move(wrapped);
  }

  void all(statements& nodes) {
    for (statement_ptr& node : nodes) visit(node);
  }

  void macro_body(statements& body) {
    parts(body);
    auto whole = std::make_unique<MacroBody>(std::move(body));
    whole->pos = 0;
    body.clear();
    body.push_back(std::move(whole));
  }

  void visit(statement_ptr& node) {
    if (!node) return;
    if (!visit_statement(node)) visit_expression(node);
  }

  bool visit_statement(statement_ptr& node) {
    if (auto* each = jinja::cast_stmt<jinja::if_statement>(node)) {
      visit(each->test);
      parts(each->body);
      parts(each->alternate);
    } else if (auto* loop = jinja::cast_stmt<jinja::for_statement>(node)) {
      visit(loop->iterable);
      auto* filtered = jinja::cast_stmt<jinja::select_expression>(loop->iterable);
      wrap<CountedItems>(filtered != nullptr ? filtered->lhs : loop->iterable);
      parts(loop->body);
      parts(loop->default_block);
    } else if (auto* set = jinja::cast_stmt<jinja::set_statement>(node)) {
      visit(set->val);
      parts(set->body);
      replace<LimitedSet>(node, std::move(set->assignee), std::move(set->val),
                          std::move(set->body));
    } else if (auto* macro = jinja::cast_stmt<jinja::macro_statement>(node)) {
      all(macro->args);
      macro_body(macro->body);
    } else if (auto* call = jinja::cast_stmt<jinja::call_statement>(node)) {
      if (auto* inner = jinja::cast_stmt<jinja::call_expression>(call->call)) {
        all(inner->args);
        wrap<LimitedCallee>(inner->callee);
      }
      all(call->caller_args);
      macro_body(call->body);
    } else if (auto* block = jinja::cast_stmt<jinja::filter_statement>(node)) {
      filter_arguments(block->filter);
      parts(block->body);
      replace<LimitedFilterBlock>(node, std::move(block->filter), std::move(block->body));
    } else {
      return false;
    }
    return true;
  }

  void visit_expression(statement_ptr& node) {
    if (auto* binary = jinja::cast_stmt<jinja::binary_expression>(node)) {
      visit(binary->left);
      visit(binary->right);
      replace<LimitedBinary>(node, std::move(binary->op), std::move(binary->left),
                             std::move(binary->right));
    } else if (auto* filter = jinja::cast_stmt<jinja::filter_expression>(node)) {
      visit(filter->operand);
      filter_arguments(filter->filter);
      replace<LimitedFilter>(node, std::move(filter->operand), std::move(filter->filter));
    } else if (auto* call = jinja::cast_stmt<jinja::call_expression>(node)) {
      visit(call->callee);
      all(call->args);
      replace<LimitedCall>(node, std::move(call->callee), std::move(call->args));
    } else if (auto* array = jinja::cast_stmt<jinja::array_literal>(node)) {
      all(array->val);
      wrap<CountedValue>(node);
    } else if (auto* tuple = jinja::cast_stmt<jinja::tuple_literal>(node)) {
      all(tuple->val);
      wrap<CountedValue>(node);
    } else if (auto* map = jinja::cast_stmt<jinja::object_literal>(node)) {
      for (auto& [key, item] : map->val) {
        visit(key);
        visit(item);
      }
      wrap<CountedValue>(node);
    } else {
      visit_children(node);
    }
  }

  void visit_children(statement_ptr& node) {
    if (auto* member = jinja::cast_stmt<jinja::member_expression>(node)) {
      visit(member->object);
      if (member->computed) visit(member->property);
    } else if (auto* select = jinja::cast_stmt<jinja::select_expression>(node)) {
      visit(select->lhs);
      visit(select->test);
    } else if (auto* test = jinja::cast_stmt<jinja::test_expression>(node)) {
      visit(test->operand);
      filter_arguments(test->test);
    } else if (auto* unary = jinja::cast_stmt<jinja::unary_expression>(node)) {
      visit(unary->argument);
    } else if (auto* slice = jinja::cast_stmt<jinja::slice_expression>(node)) {
      visit(slice->start_expr);
      visit(slice->stop_expr);
      visit(slice->step_expr);
    } else if (auto* keyword = jinja::cast_stmt<jinja::keyword_argument_expression>(node)) {
      visit(keyword->val);
    } else if (auto* ternary = jinja::cast_stmt<jinja::ternary_expression>(node)) {
      visit(ternary->condition);
      visit(ternary->true_expr);
      visit(ternary->false_expr);
    }
  }

  // The engine wants a name or a call here as they are; only the call's arguments change.
  void filter_arguments(statement_ptr& filter) {
    if (auto* call = jinja::cast_stmt<jinja::call_expression>(filter)) all(call->args);
  }
};

}  // namespace

RenderBudget::RenderBudget(uint64_t content_bytes)
    : left_(kBaseBudget + kBudgetPerContentByte * content_bytes), outer_(current_budget) {
  current_budget = this;
}

RenderBudget::~RenderBudget() { current_budget = outer_; }

void RenderBudget::spend(uint64_t cost) {
  if (current_budget == nullptr) return;
  if (cost > current_budget->left_) {
    current_budget->left_ = 0;
    throw std::runtime_error("the template runs too long or writes too much");
  }
  current_budget->left_ -= cost;
}

void RenderBudget::enter() {
  spend(kStepCost);
  if (current_budget != nullptr && ++current_budget->depth_ > kMaxMacroDepth) {
    throw std::runtime_error("macros call each other too deep");
  }
}

void RenderBudget::leave() {
  if (current_budget != nullptr) --current_budget->depth_;
}

Result<void> check_template_nesting(const jinja::lexer_result& tokens) {
  size_t brackets = 0;
  size_t blocks = 0;
  size_t in_expression = 0;
  const jinja::token* previous = nullptr;
  for (const jinja::token& token : tokens.tokens) {
    using Type = jinja::token;
    const bool opens = token.t == Type::open_paren || token.t == Type::open_square_bracket ||
                       token.t == Type::open_curly_bracket;
    const bool closes = token.t == Type::close_paren || token.t == Type::close_square_bracket ||
                        token.t == Type::close_curly_bracket;
    if (opens) ++brackets;
    if (closes && brackets > 0) --brackets;
    if (token.t == Type::open_statement || token.t == Type::open_expression) in_expression = 0;
    ++in_expression;
    if (previous != nullptr && previous->t == Type::open_statement) {
      const std::string& word = token.value;
      if (word == "if" || word == "for" || word == "macro" || word == "call" || word == "set" ||
          word == "filter") {
        blocks += word == "set" ? 0 : 1;
      }
      if (word.starts_with("end") && word != "endset" && blocks > 0) --blocks;
    }
    if (brackets > kMaxNesting || blocks > kMaxNesting || in_expression > kMaxExpressionTokens) {
      return fail(ErrorCode::kInput, "nested too deep or too long an expression at byte {}",
                  token.pos);
    }
    previous = &token;
  }
  return {};
}

void limit_template(jinja::program& program) { Rewriter().parts(program.body); }

}  // namespace fathom
