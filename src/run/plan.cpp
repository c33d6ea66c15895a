#include "run/plan.h"

#include <algorithm>

#include "run/progress.h"

namespace fathom {
namespace {

constexpr int64_t kServerRequestsAtOnce = 8;

void add(PlanRow& sum, const PlanRow& row) {
  sum.attempts += row.attempts;
  sum.finished += row.finished;
  sum.failed += row.failed;
  sum.prompt_tokens += row.prompt_tokens;
  sum.output_tokens += row.output_tokens;
  sum.seconds += row.seconds;
  sum.over_window += row.over_window;
}

Json to_json(const PlanRow& row) {
  Json out;
  if (row.length > 0) out["length"] = row.length;
  if (!row.cell.empty()) out["cell"] = row.cell;
  out["attempts"] = row.attempts;
  out["finished"] = row.finished;
  out["prompt_tokens"] = row.prompt_tokens;
  out["output_tokens"] = row.output_tokens;
  out["seconds"] = row.seconds;
  if (row.over_window > 0) out["over_window"] = row.over_window;
  return out;
}

// "1,234,567"
std::string grouped(int64_t number) {
  std::string out = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    out.insert(static_cast<size_t>(at), ",");
  return out;
}

std::string line(const std::string& name, const PlanRow& row) {
  std::string out =
      fmt::format("{:>10} {:>9} {:>9} {:>15} {:>14} {:>12}", name, grouped(row.attempts),
                  grouped(row.finished), grouped(row.prompt_tokens), grouped(row.output_tokens),
                  row.attempts == row.finished ? "–" : duration_text(row.seconds));
  if (row.over_window > 0) out += fmt::format("  {} above the window", grouped(row.over_window));
  return out + "\n";
}

}  // namespace

int64_t requests_at_once(const ModelProfile& profile, const RunLimits& limits) {
  if (limits.requests_in_flight > 0) return limits.requests_in_flight;
  if (profile.slots > 0) return profile.slots;
  return profile.provider == "gguf" ? 1 : kServerRequestsAtOnce;
}

Speeds assumed_speeds(const ModelProfile& profile, const RunLimits& limits) {
  Speeds out;
  out.at_once = static_cast<double>(requests_at_once(profile, limits));
  if (profile.provider == "gguf") {  // a small model on two cores
    out.prompt_tokens_per_s = 250;
    out.output_tokens_per_s = 35;
  } else if (profile.provider == "simulated") {
    out.prompt_tokens_per_s = 1e8;
    out.output_tokens_per_s = 1e6;
  } else {  // a served model of middle size
    out.prompt_tokens_per_s = 5'000;
    out.output_tokens_per_s = 50;
  }
  return out;
}

double request_seconds(const Speeds& speeds, int64_t prompt_tokens, int64_t output_tokens) {
  return static_cast<double>(prompt_tokens) / speeds.prompt_tokens_per_s +
         static_cast<double>(output_tokens) / speeds.output_tokens_per_s;
}

PlanRow Plan::total() const {
  PlanRow sum;
  for (const PlanRow& row : rows) add(sum, row);
  return sum;
}

std::vector<PlanRow> Plan::by_length() const {
  std::vector<PlanRow> out;
  for (const PlanRow& row : rows) {
    if (out.empty() || out.back().length != row.length) {
      out.emplace_back();
      out.back().length = row.length;
    }
    add(out.back(), row);
  }
  return out;
}

Json to_json(const Plan& plan) {
  Json out;
  out["total"] = to_json(plan.total());
  out["rows"] = Json::array();
  for (const PlanRow& row : plan.rows) out["rows"].push_back(to_json(row));
  out["speeds"]["prompt_tokens_per_s"] = plan.speeds.prompt_tokens_per_s;
  out["speeds"]["output_tokens_per_s"] = plan.speeds.output_tokens_per_s;
  out["speeds"]["at_once"] = plan.speeds.at_once;
  out["speeds"]["measured"] = plan.speeds.measured;
  if (plan.window_tokens > 0) out["window_tokens"] = plan.window_tokens;
  return out;
}

std::string to_text(const Plan& plan) {
  std::string out = fmt::format("{:>10} {:>9} {:>9} {:>15} {:>14} {:>12}\n", "length", "requests",
                                "finished", "prompt tokens", "output ≤", "time about");
  for (const PlanRow& row : plan.by_length())
    out += line(row.length == 0 ? "controls" : grouped(row.length), row);
  const PlanRow total = plan.total();
  out += line("all", total);
  if (total.attempts > total.finished)
    out += fmt::format(
        "time {}: {:.0f} prompt and {:.0f} output tokens/s per request, {:.0f} at once\n",
        plan.speeds.measured ? "from this run's own speeds so far"
                             : "from assumed speeds, corrected while it runs",
        plan.speeds.prompt_tokens_per_s, plan.speeds.output_tokens_per_s, plan.speeds.at_once);
  return out;
}

}  // namespace fathom
