// What suites may name, from the registry of tasks.
#include "suite/suite.h"
#include "task/task.h"

namespace fathom {

const TaskCatalog& registered_tasks() {
  static const TaskCatalog catalog = [] {
    TaskCatalog made;
    for (const Task* task : tasks()) made.names.push_back(task->info().name);
    made.parameters = [](const std::string& name) -> const std::vector<ParameterSpec>* {
      for (const Task* task : tasks()) {
        if (task->info().name == name) return &task->info().parameters;
      }
      return nullptr;
    };
    made.entity_sets = [](const std::string& name) {
      const auto task = find_task(name);
      return task.has_value() && (*task)->info().entity_sets;
    };
    made.places_evidence = [](const std::string& name) {
      const auto task = find_task(name);
      return task.has_value() && (*task)->info().places_evidence;
    };
    made.hops = [](const std::string& name) {
      const auto task = find_task(name);
      return task.has_value() ? (*task)->info().hops : std::string();
    };
    return made;
  }();
  return catalog;
}

}  // namespace fathom
