#include "report/gate_files.h"

#include <fmt/format.h>

#include "io/file.h"
#include "report/markup_text.h"
#include "text/lines.h"

namespace fathom {
namespace {

constexpr int kGateVersion = 1;

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json figure_json(const Estimate& figure) {
  if (!figure.known()) return nullptr;
  Json json = {{"value", figure.value}, {"low", nullptr}, {"high", nullptr}, {"n", figure.n}};
  if (figure.method != IntervalMethod::kNone) {
    json["low"] = figure.low;
    json["high"] = figure.high;
  }
  json["method"] = std::string(to_text(figure.method));
  return json;
}

Json check_json(const GateCheck& check) {
  return {{"subject", check.subject},
          {"status", std::string(to_text(check.status))},
          {"figure", figure_json(check.figure)},
          {"unit", std::string(to_text(check.unit))},
          {"at_least", optional_json(check.at_least)},
          {"at_most", optional_json(check.at_most)},
          {"reason", check.reason}};
}

Json rule_json(const RuleResult& result) {
  Json checks = Json::array();
  for (const GateCheck& check : result.checks) checks.push_back(check_json(check));
  return {{"rule", std::string(to_text(result.rule.kind))},
          {"title", title_of(result.rule)},
          {"line", result.rule.line},
          {"status", std::string(to_text(result.status))},
          {"by", std::string(to_text(result.rule.by))},
          {"confidence", result.rule.confidence},
          {"one_sided", result.rule.kind == RuleKind::kNotWorse},
          {"correction", std::string(to_text(result.rule.correction))},
          {"reason", result.reason},
          {"checks", std::move(checks)}};
}

Json run_json(const RunDescription& run) {
  return {{"run", run.name},
          {"model", run.model},
          {"simulated", run.simulated},
          {"suite", run.suite},
          {"started", run.started}};
}

std::string_view unresolved_text(UnresolvedAs as) {
  switch (as) {
    case UnresolvedAs::kPass:
      return "pass";
    case UnresolvedAs::kFail:
      return "fail";
    case UnresolvedAs::kExit:
      return "exit";
  }
  return "pass";
}

// Every check of a rule, one a line; for the bodies of test cases.
std::string check_lines(const RuleResult& rule) {
  std::string lines;
  for (const GateCheck& check : rule.checks)
    lines += fmt::format("{}: {}: {}\n", to_text(check.status), check.subject, check.reason);
  return lines;
}

// Escaped line by line, since a line break is kept.
std::string xml_lines(const std::string& text) {
  std::string out;
  for (const std::string_view line : split_lines(text)) out += xml_text(line) + "\n";
  return out;
}

bool counts_as_failed(const RuleResult& rule, UnresolvedAs unresolved) {
  return rule.status == GateStatus::kFail ||
         (rule.status == GateStatus::kUnresolved && unresolved != UnresolvedAs::kPass);
}

std::string junit_case(const RuleResult& rule, const GateResult& result) {
  std::string out = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\"",
                                xml_text(result.policy), xml_text(title_of(rule.rule)));
  if (rule.status == GateStatus::kPass)
    return out + fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n",
                             xml_lines(check_lines(rule)));
  if (counts_as_failed(rule, result.unresolved))
    return out + fmt::format(
                     ">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n"
                     "    </testcase>\n",
                     to_text(rule.status), xml_text(rule.reason), xml_lines(check_lines(rule)));
  return out + fmt::format(">\n      <skipped message=\"unresolved: {}\"/>\n    </testcase>\n",
                           xml_text(rule.reason));
}

std::string sign_of(GateStatus status) {
  switch (status) {
    case GateStatus::kPass:
      return "✅ pass";
    case GateStatus::kFail:
      return "❌ **fail**";
    case GateStatus::kUnresolved:
      return "❔ unresolved";
  }
  return "";
}

}  // namespace

Json gate_json(const GateResult& result) {
  Json conditions = Json::array();
  for (const ConditionDifference& item : result.conditions)
    conditions.push_back(
        {{"name", item.name}, {"a", item.a}, {"b", item.b}, {"decides", item.decides}});
  Json rules = Json::array();
  for (const RuleResult& rule : result.rules) rules.push_back(rule_json(rule));
  return {{"format", "fathom-gate"},
          {"version", kGateVersion},
          {"verdict", gate_verdict(result)},
          {"status", std::string(to_text(result.status))},
          {"exit_code", result.exit_code},
          {"policy",
           {{"name", result.policy},
            {"description", result.policy_description},
            {"source", result.policy_source},
            {"sha256", result.policy_sha256},
            {"unresolved", std::string(unresolved_text(result.unresolved))}}},
          {"run", run_json(result.run)},
          {"baseline", result.baseline ? run_json(*result.baseline) : Json(nullptr)},
          {"conditions", std::move(conditions)},
          {"not_run", result.not_run},
          {"passed", result.count(GateStatus::kPass)},
          {"failed", result.count(GateStatus::kFail)},
          {"unresolved", result.count(GateStatus::kUnresolved)},
          {"rules", std::move(rules)}};
}

std::string gate_junit(const GateResult& result) {
  int64_t failures = 0;
  int64_t skipped = 0;
  std::string cases;
  for (const RuleResult& rule : result.rules) {
    cases += junit_case(rule, result);
    if (counts_as_failed(rule, result.unresolved)) {
      ++failures;
    } else if (rule.status == GateStatus::kUnresolved) {
      ++skipped;
    }
  }
  const auto property = [](const std::string& name, const std::string& value) {
    return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml_text(value));
  };
  std::string properties = property("verdict", gate_verdict(result)) +
                           property("policy", result.policy) +
                           property("policy_sha256", result.policy_sha256) +
                           property("run", result.run.name) + property("model", result.run.model);
  if (result.baseline)
    properties += property("baseline", result.baseline->name) +
                  property("baseline_model", result.baseline->model);
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"0\"",
                  result.rules.size(), failures, skipped);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"fathom gate\" tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"0\">\n"
      "  <testsuite name=\"{}\" {}>\n"
      "    <properties>\n{}    </properties>\n"
      "{}"
      "  </testsuite>\n"
      "</testsuites>\n",
      result.rules.size(), failures, xml_text("policy " + result.policy), counts, properties,
      cases);
}

std::string gate_markdown(const GateResult& result) {
  std::string out = fmt::format("**{}**\n\n", markdown_text(gate_verdict(result)));
  out += fmt::format("Policy {} (sha256 `{}`), run {} ({})", markdown_text(result.policy),
                     result.policy_sha256, markdown_text(result.run.name),
                     markdown_text(result.run.model));
  if (result.baseline)
    out += fmt::format(", baseline {} ({})", markdown_text(result.baseline->name),
                       markdown_text(result.baseline->model));
  out += ".\n\n| | rule | why |\n|---|---|---|\n";
  for (const RuleResult& rule : result.rules)
    out += fmt::format("| {} | {} | {} |\n", sign_of(rule.status),
                       markdown_text(title_of(rule.rule)), markdown_text(rule.reason));
  bool first = true;
  for (const ConditionDifference& item : result.conditions) {
    if (!item.decides) continue;
    if (first) out += "\nBaseline and run differ in:\n\n| | baseline | run |\n|---|---|---|\n";
    first = false;
    out += fmt::format("| {} | {} | {} |\n", markdown_text(item.name), markdown_text(item.a),
                       markdown_text(item.b));
  }
  return out;
}

Result<void> write_gate_files(const std::string& folder, const GateResult& result) {
  TRY_VOID(make_directories(folder));
  TRY_VOID(write_file_atomic(folder + "/gate.json", to_pretty_json(gate_json(result))));
  TRY_VOID(write_file_atomic(folder + "/gate.junit.xml", gate_junit(result)));
  return write_file_atomic(folder + "/gate.md", gate_markdown(result));
}

}  // namespace fathom
