#include <iterator>

#include "io/yaml.h"
#include "task/families.h"
#include "task/task.h"

namespace fathom {
namespace {

TaskList all_tasks() {
  TaskList all;
  for (TaskList (*make)() : {niah_tasks, variable_tracking_tasks, common_words_tasks,
                             frequent_words_tasks, question_tasks, set_intersection_tasks}) {
    TaskList family = make();
    std::move(family.begin(), family.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

const std::vector<const Task*>& tasks() {
  static const TaskList owned = all_tasks();
  static const std::vector<const Task*> list = [] {
    std::vector<const Task*> pointers;
    for (const auto& task : owned) pointers.push_back(task.get());
    return pointers;
  }();
  return list;
}

Result<const Task*> find_task(std::string_view name) {
  std::vector<std::string> names;
  for (const Task* task : tasks()) {
    if (task->info().name == name) return task;
    names.push_back(task->info().name);
  }
  const std::string near = nearest_word(name, names);
  return fail(ErrorCode::kUsage, "unknown task '{}'{}; `fathom tasks` lists them", name,
              near.empty() ? "" : "; did you mean '" + near + "'?");
}

}  // namespace fathom
