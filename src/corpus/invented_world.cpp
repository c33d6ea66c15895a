#include "corpus/invented_world.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>
#include <unordered_set>

#include "corpus/word_pool.h"
#include "text/words.h"

namespace fathom {
namespace {

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

int number_of(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Spelled so that no real name comes out: the middle of each word is a cluster that names avoid.
std::string invented_name(Random& random) {
  static constexpr auto kOnsets = std::to_array<std::string_view>(
      {"B", "Br", "D", "Dr", "F",  "G", "Gl",  "H",  "J",  "K", "Kr", "L", "M", "N", "Ost",
       "P", "Qu", "R", "S",  "Sk", "T", "Thr", "Tr", "Ul", "V", "Vr", "W", "Y", "Z", "Zh"});
  static constexpr auto kVowels =
      std::to_array<std::string_view>({"a", "e", "i", "o", "u", "ae", "ou", "ei"});
  static constexpr auto kMiddles = std::to_array<std::string_view>(
      {"dv",  "fl",  "gd",  "lqu", "lv",  "lz", "mbr", "mzh", "ndv", "ngv", "pth",
       "rqu", "rzh", "skv", "stv", "thl", "vl", "vr",  "xt",  "zd",  "zg",  "zm"});
  static constexpr auto kEnds = std::to_array<std::string_view>(
      {"", "l", "m", "n", "nd", "r", "rd", "s", "sk", "st", "th", "x"});
  const auto pick = [&](const auto& parts) { return parts[random.below(parts.size())]; };
  std::string name(pick(kOnsets));
  // The order of draws is part of every dataset.
  const std::string_view middle = pick(kMiddles);
  (name += pick(kVowels)) += middle;
  name += pick(kVowels);
  if (random.below(4) == 0) {
    const std::string_view last = pick(kVowels);
    (name += pick(kMiddles).front()) += last;
  }
  return name += pick(kEnds);
}

// The part of a value that must not occur twice: "the Amber Otter Hut" → "amber otter".
std::string core(std::string_view value) {
  std::string out;
  const std::string lower = lower_case(value);
  for (const std::string_view word : split(lower)) {
    if (word == "the" || word == "hut" || word == "island") continue;
    (out += out.empty() ? "" : " ") += word;
  }
  return out;
}

class Inventor {
 public:
  Inventor(const Grammar& grammar, Random& random) : grammar_(grammar), random_(random) {
    const auto& words = WordPool::own()->words();
    names_.insert(words.begin(), words.end());
  }

  std::vector<InventedThing> invent(size_t count) {
    const auto& kinds = grammar_.alternatives("kinds");
    if (kinds.empty()) return {};
    for (size_t i = 0; i < count; ++i) {
      by_kind_[kinds[i % kinds.size()]].push_back(i);
      things_.push_back(name_thing(kinds[i % kinds.size()]));
    }
    for (InventedThing& thing : things_) add_facts(thing);
    for (InventedThing& thing : things_) add_links(thing);
    for (const bool linked : {false, true})  // first the years that others count from
      for (InventedThing& thing : things_) add_year(thing, linked);
    return std::move(things_);
  }

 private:
  std::string fresh_name() {
    while (true) {
      std::string name = invented_name(random_);
      if (name.size() >= 5 && names_.insert(lower_case(name)).second) return name;
    }
  }

  InventedThing name_thing(const std::string& kind) {
    InventedThing thing;
    thing.kind = kind;
    const Bindings words = {{"w", fresh_name()}, {"v", fresh_name()}};
    thing.name = grammar_.expand(kind + ".name", words, random_);
    thing.short_name = grammar_.expand(kind + ".short", words, random_);
    return thing;
  }

  void add_facts(InventedThing& thing) {
    for (const std::string& fact : grammar_.alternatives(thing.kind + ".facts")) {
      for (int tries = 0; tries < 400; ++tries) {
        std::string value = grammar_.expand(thing.kind + ".value." + fact, {}, random_);
        if (const auto parts = split(value); parts.size() == 3 && parts[0] == "number")
          value = std::to_string(random_.between(number_of(parts[1]), number_of(parts[2])));
        if (!values_.insert(core(value)).second) continue;
        thing.facts.push_back({fact, std::move(value)});
        break;
      }
    }
  }

  void add_links(InventedThing& thing) {
    for (const std::string& link : grammar_.alternatives(thing.kind + ".links")) {
      const auto parts = split(link);
      const auto found = parts.size() == 2 ? by_kind_.find(parts[1]) : by_kind_.end();
      if (found == by_kind_.end()) continue;
      thing.links.push_back(
          {std::string(parts[0]), found->second[random_.below(found->second.size())]});
    }
  }

  void add_year(InventedThing& thing, bool linked) {
    const auto& rule = grammar_.alternatives(thing.kind + ".year");
    if (rule.empty()) return;
    const auto parts = split(rule.front());
    if (parts.size() != (linked ? 3 : 2)) return;
    int base = 0;
    for (const InventedLink& link : thing.links)
      if (linked && link.name == parts[0]) base = things_[link.target].year;
    const int low = number_of(parts[parts.size() - 2]);
    const int high = number_of(parts[parts.size() - 1]);
    thing.year = base + static_cast<int>(random_.between(low, high));
  }

  const Grammar& grammar_;
  Random& random_;
  std::vector<InventedThing> things_;
  std::map<std::string, std::vector<size_t>, std::less<>> by_kind_;
  std::unordered_set<std::string> names_;   // taken, with the words of English that fathom knows
  std::unordered_set<std::string> values_;  // taken, as core()
};

}  // namespace

std::vector<InventedThing> invent_world(const Grammar& grammar, size_t count, Random& random) {
  return Inventor(grammar, random).invent(count);
}

}  // namespace fathom
