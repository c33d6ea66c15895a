// Values that live until the program ends. A run of 100,000 samples is a million small strings: to
// give back each takes a tenth of the time of a report, and the system takes them all at once.
#pragma once

#include <utility>

namespace fathom {

// Never destroyed, and still reachable, so that no leak checker reports it. Thread-compatible.
template <class Value>
[[nodiscard]] Value& kept(Value value) {
  struct Held {
    Value value;
    Held* before;
  };
  static Held* last = nullptr;
  last = new Held{std::move(value), last};
  return last->value;
}

}  // namespace fathom
