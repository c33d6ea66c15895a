#include "coverage/log_agreement.h"

#include <algorithm>
#include <map>
#include <utility>

#include "coverage/look.h"

namespace fathom {
namespace {

// By layer and by number of answer tokens that the step knows.
using Looks = std::map<std::pair<int, int64_t>, Look>;

Looks answer_looks(const SelectionLog& log) {
  Looks looks;
  for (const LoggedSelection& each : log.selections) {
    const int64_t generated = each.position + 1 - log.prompt_tokens;
    if (!each.dense && generated >= 0)
      looks.insert_or_assign({each.layer, generated}, look_at(each, log.block));
  }
  return looks;
}

double jaccard_of_positions(const Look& a, uint64_t a_begin, const Look& b, uint64_t b_begin,
                            uint64_t length) {
  int64_t both = 0;
  int64_t either = 0;
  const auto most = static_cast<int64_t>(length);
  for (int64_t i = 0; i < most;) {
    const int64_t at_a = static_cast<int64_t>(a_begin) + i;
    const int64_t at_b = static_cast<int64_t>(b_begin) + i;
    const int64_t alike =
        std::min({a.same_until(at_a) - at_a, b.same_until(at_b) - at_b, most - i});
    const bool in_a = a.reads(at_a);
    const bool in_b = b.reads(at_b);
    both += in_a && in_b ? alike : 0;
    either += in_a || in_b ? alike : 0;
    i += alike;
  }
  return either == 0 ? 1 : static_cast<double>(both) / static_cast<double>(either);
}

}  // namespace

std::vector<LayerAgreement> log_agreement(const LoggedContext& a, const LoggedContext& b) {
  const Looks of_a = answer_looks(*a.log);
  const Looks of_b = answer_looks(*b.log);
  const uint64_t length =
      std::min(a.context.end - a.context.begin, b.context.end - b.context.begin);
  std::vector<LayerAgreement> layers;
  for (const auto& [key, look] : of_a) {
    const auto other = of_b.find(key);
    if (other == of_b.end()) continue;
    if (layers.empty() || layers.back().layer != key.first) layers.push_back({.layer = key.first});
    ++layers.back().steps;
    layers.back().jaccard +=
        jaccard_of_positions(look, a.context.begin, other->second, b.context.begin, length);
  }
  for (LayerAgreement& layer : layers) layer.jaccard /= static_cast<double>(layer.steps);
  return layers;
}

}  // namespace fathom
