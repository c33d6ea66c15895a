#include "io/embedded.h"

#include <algorithm>

namespace fathom {
namespace {

struct Entry {
  const char* name;
  const char* begin;
  const char* end;
};

}  // namespace

extern "C" const Entry
    fathom_embedded_table[];  // written by cmake/embed_files.cmake, ends with a null name

std::optional<std::string_view> embedded_file(std::string_view name) {
  for (const Entry* entry = fathom_embedded_table; entry->name != nullptr; ++entry)
    if (name == entry->name)
      return std::string_view(entry->begin, static_cast<size_t>(entry->end - entry->begin));
  return std::nullopt;
}

std::vector<std::string> embedded_names(std::string_view prefix) {
  std::vector<std::string> names;
  for (const Entry* entry = fathom_embedded_table; entry->name != nullptr; ++entry)
    if (std::string_view(entry->name).starts_with(prefix)) names.emplace_back(entry->name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace fathom
