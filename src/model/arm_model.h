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
  // `sink` is called on the model's thread, before the answer is passed on.
  using Sink = std::function<void(const Request&, const SelectionLog&)>;

  ArmModel(Model& model, AttentionArm arm, Sink sink)
      : model_(model),
        arm_(std::make_shared<const AttentionArm>(std::move(arm))),
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
  std::shared_ptr<const Sink> sink_;
};

}  // namespace fathom
