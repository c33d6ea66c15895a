#include "suite/suite.h"

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "suite/suite_lengths.h"

namespace fathom {

const char* to_text(LengthCounts counts) {
  switch (counts) {
    case LengthCounts::kPromptAndReserve:
      return "prompt+reserve";
    case LengthCounts::kPrompt:
      return "prompt";
    case LengthCounts::kContext:
      return "context";
  }
  return "";
}

Result<LengthCounts> length_counts_from_text(std::string_view text) {
  for (const LengthCounts counts :
       {LengthCounts::kPromptAndReserve, LengthCounts::kPrompt, LengthCounts::kContext}) {
    if (text == to_text(counts)) return counts;
  }
  return fail(ErrorCode::kUsage,
              "what a length counts must be prompt+reserve, prompt or context, not '{}'", text);
}

std::string Suite::canonical() const {
  const auto list = [](const std::vector<int64_t>& numbers) {
    return fmt::format("{}", fmt::join(numbers, ","));
  };
  std::string text = fmt::format(
      "version={}\nlengths={}\nsamples={}\nseed={}\nlength_counts={}\nanswer_prefix={}\n", version,
      list(lengths), samples, seed, to_text(length_counts), answer_prefix);
  for (const SuiteTask& task : tasks) {
    text += fmt::format("task={}\ncell={}\n", task.name, task.cell);
    for (const auto& [key, value] : task.parameters) {
      text += fmt::format(" {}={}:{}\n", key, value.index(), to_text(value));
    }
    if (!task.lengths.empty()) text += fmt::format(" lengths={}\n", list(task.lengths));
    if (task.samples != 0) text += fmt::format(" samples={}\n", task.samples);
    if (task.variant.ordinary()) continue;
    text += fmt::format(" variant={}:{}\n", to_text(task.variant.axis), task.variant.value);
    if (task.control_of != 0) text += fmt::format(" control_of={}\n", task.control_of);
  }
  return text;
}

std::string Suite::hash() const { return hash_hex(canonical()); }

std::vector<SampleSlot> suite_slots(const Suite& suite) {
  std::set<int64_t> all(suite.lengths.begin(), suite.lengths.end());
  for (const SuiteTask& task : suite.tasks) all.insert(task.lengths.begin(), task.lengths.end());
  std::vector<SampleSlot> slots;
  for (const int64_t length : all) {
    for (size_t row = 0; row < suite.tasks.size(); ++row) {
      const SuiteTask& task = suite.tasks[row];
      const auto& lengths = task.lengths.empty() ? suite.lengths : task.lengths;
      if (std::find(lengths.begin(), lengths.end(), length) == lengths.end()) continue;
      const int64_t samples = task.samples > 0 ? task.samples : suite.samples;
      for (int64_t index = 0; index < samples; ++index) slots.push_back({row, length, index});
    }
  }
  return slots;
}

std::string slot_id(const Suite& suite, const SampleSlot& slot) {
  return fmt::format("{}:{}:{}", suite.tasks[slot.task].cell, slot.length, slot.index);
}

}  // namespace fathom
