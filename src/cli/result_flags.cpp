#include "cli/result_flags.h"

#include <algorithm>
#include <charconv>

#include "io/yaml.h"
#include "results/sample_facts.h"

namespace fathom {
namespace {

// The categories that tasks have (results/sample_facts.h).
const std::vector<std::string> kCategories = {"retrieval", "tracking", "aggregation",
                                              "question answering", "other"};

Result<std::pair<std::string, double>> category_threshold(const std::string& text) {
  const size_t equals = text.rfind('=');
  double percent = -1;
  if (equals != std::string::npos) {
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + equals + 1, end, percent);
    if (rest != end || error != std::errc()) percent = -1;
  }
  if (!(percent >= 0 && percent <= 100)) {
    return fail(ErrorCode::kUsage,
                "--category-threshold: '{}' must be NAME=PERCENT, for example retrieval=95", text);
  }
  std::string name = text.substr(0, equals);
  if (std::find(kCategories.begin(), kCategories.end(), name) == kCategories.end()) {
    const std::string nearest = nearest_word(name, kCategories);
    return fail(ErrorCode::kUsage, "--category-threshold: no category '{}'; {}", name,
                nearest.empty() ? fmt::format("there are {}", fmt::join(kCategories, ", "))
                                : fmt::format("did you mean '{}'?", nearest));
  }
  return std::pair(std::move(name), percent / 100);
}

}  // namespace

void add_result_flags(CLI::App& command, ResultFlags& flags) {
  const CLI::Validator percent(
      [](std::string& text) {
        double value = -1;
        const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = rest == text.data() + text.size() && error == std::errc();
        return whole && value >= 0 && value <= 100
                   ? ""
                   : "must be a percentage from 0 to 100, not '" + text + "'";
      },
      "0 to 100");
  command
      .add_option("--threshold", flags.threshold_percent,
                  "Percent right up to which a length counts as usable")
      ->check(percent)
      ->capture_default_str()
      ->type_name("PERCENT")
      ->group("Effective length");
  command
      .add_option("--relative", flags.relative_percent,
                  "Percent of the score at the shortest length that is still good enough")
      ->check(percent)
      ->capture_default_str()
      ->type_name("PERCENT")
      ->group("Effective length");
  command
      .add_option("--relative-to", flags.relative_to,
                  "What --relative is a share of: shortest (length), or needles-only (the control)")
      ->check(CLI::IsMember({"shortest", "needles-only"}))
      ->capture_default_str()
      ->type_name("WHAT")
      ->group("Effective length");
  command
      .add_option("--category-threshold", flags.categories,
                  "A category's own threshold, NAME=PERCENT (retrieval=95); may be given again")
      ->type_name("NAME=PERCENT")
      ->group("Effective length");
  command
      .add_option("--risk-limit", flags.risk_limit_percent,
                  "Cost of mistakes that is still acceptable, in percent of an unnoticed wrong "
                  "answer for every request")
      ->check(percent)
      ->capture_default_str()
      ->type_name("PERCENT")
      ->group("Effective length");
  command
      .add_flag("--strict", flags.strict,
                "Show strict scores in the table: no denial, no hedge, no wrong candidate besides")
      ->group("Effective length");
  command.add_option("--threads", flags.threads, "0: all cores")
      ->check(CLI::Range(0, 1024))
      ->type_name("N");
}

Result<ResultsOptions> results_options_of(const ResultFlags& flags) {
  ResultsOptions options;
  options.threshold = flags.threshold_percent / 100;
  options.relative = flags.relative_percent / 100;
  if (flags.relative_to == "needles-only") options.relative_to = RelativeBase::kControl;
  options.risk_limit = flags.risk_limit_percent / 100;
  options.threads = flags.threads;
  for (const std::string& text : flags.categories) {
    TRY(const auto own, category_threshold(text));
    options.category_thresholds[own.first] = own.second;
  }
  return options;
}

}  // namespace fathom
