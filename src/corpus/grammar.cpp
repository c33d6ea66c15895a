#include "corpus/grammar.h"

#include <algorithm>

#include "text/lines.h"

namespace fathom {
namespace {

constexpr int kMaximumDepth = 16;

void capitalise(std::string& text, size_t at) {
  if (at < text.size() && text[at] >= 'a' && text[at] <= 'z')
    text[at] = static_cast<char>(text[at] - 32);
}

}  // namespace

std::string_view article_for(std::string_view text) {
  for (const std::string_view sounded : {"uni", "use", "one", "eu"})
    if (text.starts_with(sounded)) return "a";
  for (const std::string_view silent : {"hour", "honest", "honour"})
    if (text.starts_with(silent)) return "an";
  return !text.empty() && std::string_view("aeiouAEIOU").find(text[0]) != std::string_view::npos
             ? "an"
             : "a";
}

Grammar Grammar::parse(std::string_view text) {
  Grammar grammar;
  std::vector<std::string>* rule = nullptr;
  for (const std::string_view line : split_lines(text)) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with("  ")) {
      if (rule != nullptr) rule->emplace_back(line.substr(2));
    } else {
      rule = &grammar.rules_[std::string(line)];
    }
  }
  return grammar;
}

const std::vector<std::string>& Grammar::alternatives(std::string_view symbol) const {
  static const std::vector<std::string> kNone;
  const auto found = rules_.find(symbol);
  return found == rules_.end() ? kNone : found->second;
}

std::vector<std::string> Grammar::symbols() const {
  std::vector<std::string> names;
  for (const auto& [name, unused] : rules_) names.push_back(name);
  return names;
}

std::string Grammar::fill(std::string_view pattern, const Bindings& bindings,
                          Random& random) const {
  std::string out;
  fill(pattern, bindings, random, 0, out);
  return out;
}

std::string Grammar::expand(std::string_view symbol, const Bindings& bindings,
                            Random& random) const {
  return fill("{" + std::string(symbol) + "}", bindings, random);
}

void Grammar::fill(std::string_view pattern, const Bindings& bindings, Random& random, int depth,
                   std::string& out) const {
  for (size_t at = 0; at < pattern.size();) {
    const size_t open = std::min(pattern.find('{', at), pattern.size());
    out += pattern.substr(at, open - at);
    if (open == pattern.size()) return;
    const size_t close = pattern.find('}', open);
    if (close == std::string_view::npos) {
      out += pattern.substr(open);
      return;
    }
    std::string_view symbol = pattern.substr(open + 1, close - open - 1);
    const bool capital = symbol.starts_with('^');
    if (capital) symbol.remove_prefix(1);
    const bool article = symbol.starts_with("a:");
    if (article) symbol.remove_prefix(2);
    const size_t start = out.size();
    const auto& choices = alternatives(symbol);
    if (const auto bound = bindings.find(symbol); bound != bindings.end()) {
      out += bound->second;
    } else if (!choices.empty() && depth < kMaximumDepth) {
      fill(choices[random.below(choices.size())], bindings, random, depth + 1, out);
    } else {
      out += pattern.substr(open, close + 1 - open);
    }
    if (article)
      out.insert(start, std::string(article_for(std::string_view(out).substr(start))) + " ");
    if (capital) capitalise(out, start);
    at = close + 1;
  }
}

}  // namespace fathom
