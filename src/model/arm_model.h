// A model seen through one arm: every request carries it, and what it read goes to a sink. Several
// of them share one in-process model, which answers the arms of a sample one after another.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "model/model.h"

namespace fathom {

// Thread-safe as the model behind it, which must outlive it.
class ArmModel final : public Model {
 public:
  // `sink` is called with a reply that has a selection, on the model's thread, before the reply is
  // passed on.
  using Sink = std::function<void(const Request&, const Reply&)>;

  // `record`: keys and queries are wanted, too (Request::record).
  ArmModel(Model& model, AttentionArm arm, bool record, Sink sink)
      : model_(model),
        arm_(std::make_shared<const AttentionArm>(std::move(arm))),
        record_(record),
        sink_(std::make_shared<const Sink>(std::move(sink))) {}

  Result<ModelProfile> probe() override { return model_.probe(); }
  void start(Request request, std::function<void(Answer)> done) override;
  void cancel_all() override { model_.cancel_all(); }
  Result<std::optional<int64_t>> count_tokens(const std::string& text, bool add_special) override {
    return model_.count_tokens(text, add_special);
  }
  int64_t processed_prompt_tokens() const override { return model_.processed_prompt_tokens(); }

 private:
  Model& model_;
  std::shared_ptr<const AttentionArm> arm_;
  bool record_;
  std::shared_ptr<const Sink> sink_;
};

}  // namespace fathom
