// A task catalog for tests of suites, so that they do not move with the registry.
#pragma once

#include "suite/suite.h"

namespace fathom {

inline const TaskCatalog& fake_catalog() {
  static const std::vector<ParameterSpec> needles = {
      {"keys", "needles", int64_t{1}, 1, 100, {}},
      {"spread", "share of the context", 1.0, 0.0, 1.0, {}},
      {"haystack", "text around", std::string("essay"), 0, 0, {"essay", "noise", "needle"}},
      {"shuffle", "order", true, 0, 0, {}}};
  static const std::vector<ParameterSpec> tracking = {{"hops", "", int64_t{4}, 1, 20, {}}};
  static const std::vector<ParameterSpec> none;
  static const TaskCatalog catalog = {
      {"niah_single_1", "niah_multikey_1", "vt", "qa_1", "encyclopaedia_1"},
      [](const std::string& name) -> const std::vector<ParameterSpec>* {
        if (name == "niah_single_1" || name == "niah_multikey_1") return &needles;
        if (name == "vt") return &tracking;
        return name == "qa_1" || name == "encyclopaedia_1" ? &none : nullptr;
      },
      [](const std::string& name) { return name != "qa_1" && name != "encyclopaedia_1"; },
      [](const std::string& name) { return name != "encyclopaedia_1"; },
      [](const std::string& name) { return std::string(name == "vt" ? "hops" : ""); }};
  return catalog;
}

}  // namespace fathom
