// What each task file gives the registry: the tasks of its family.
#pragma once

#include <memory>
#include <vector>

#include "task/task.h"

namespace fathom {

using TaskList = std::vector<std::unique_ptr<const Task>>;

[[nodiscard]] TaskList niah_tasks();               // niah.cpp
[[nodiscard]] TaskList variable_tracking_tasks();  // variable_tracking.cpp
[[nodiscard]] TaskList common_words_tasks();       // common_words.cpp
[[nodiscard]] TaskList frequent_words_tasks();     // frequent_words.cpp
[[nodiscard]] TaskList question_tasks();           // questions.cpp
[[nodiscard]] TaskList set_intersection_tasks();   // set_intersection.cpp

}  // namespace fathom
