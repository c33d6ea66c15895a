#include "report/arm_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "coverage/coverage_file.h"
#include "report/coverage_table.h"
#include "report/inked_lines.h"
#include "report/limits_json.h"
#include "report/log_study_json.h"
#include "report/terminal_text.h"
#include "results/arm_verdict.h"
#include "results/labels.h"

namespace fathom {
namespace {

constexpr size_t kLongestName = 26;
constexpr size_t kNarrowest = 40;

std::string percent(double share) { return fmt::format("{:.1f}", share * 100); }

struct Column {
  std::string head;
  size_t width;
  std::function<std::string(const ArmSummary&)> value;
};

std::vector<Column> columns_for(size_t room) {
  const auto covered = [](auto of) {
    return [of](const ArmSummary& arm) {
      return arm.covered == 0 || arm.arm.options.kind == SelectorKind::kFull ? std::string("–")
                                                                             : percent(of(arm));
    };
  };
  const auto against = [](auto of) {
    return [of](const ArmSummary& arm) {
      return arm.against && arm.against->difference.known() ? of(arm) : std::string();
    };
  };
  std::vector<Column> columns = {
      {"right", 7, [](const ArmSummary& arm) { return percent(arm.score.value); }},
      {"95 %", 9,
       [](const ArmSummary& arm) {
         return fmt::format("{:.0f}–{:.0f}", arm.score.low * 100, arm.score.high * 100);
       }},
      {"− full", 8,
       against([](const ArmSummary& arm) { return signed_points(arm.against->difference.value); })},
      {"p", 7, against([](const ArmSummary& arm) {
         return arm.p_holm < 0.001 ? std::string("<.001") : fmt::format("{:.3f}", arm.p_holm);
       })},
      {"read", 7,
       [](const ArmSummary& arm) {
         return knows_cost(arm) ? percent(arm.read_share) : std::string("–");
       }},
      {"joint", 7, covered([](const ArmSummary& arm) { return arm.coverage.joint; })},
      {"recall", 8, covered([](const ArmSummary& arm) { return arm.coverage.recall; })},
      {"path", 7, covered([](const ArmSummary& arm) { return arm.coverage.path; })}};
  const auto needed = [&] {
    size_t sum = 0;
    for (const Column& column : columns) sum += column.width;
    return sum;
  };
  while (columns.size() > 2 && needed() > room) columns.pop_back();
  return columns;
}

LineInk ink_of(const ArmSummary& arm) {
  if (!arm.against || arm.p_holm >= 0.05 || !arm.arm.only_failed.empty()) return LineInk::kNone;
  return arm.against->difference.value < 0 ? LineInk::kBad : LineInk::kGood;
}

void add_cross(InkedLines& lines, const CrossTable& table, size_t width) {
  const CrossGroup& all = table.groups.front();
  const CrossCells& cells = all.cells;
  lines.paragraph(
      fmt::format("{}: of {} samples {} right with full attention, {} with {}, {} with {}. Lost to "
                  "sparsity itself {}, to the selector {}, right where full is wrong {}; full − "
                  "{} {} points ({} to {}), exact p {:.3g}.",
                  table.real, cells.n(), cells.full_right(), cells.oracle_right(), table.oracle,
                  cells.real_right(), table.real, cells.sparsity_loss(), cells.selector_loss(),
                  cells.luck(), table.real, signed_points(all.full_minus_real.value),
                  signed_points(all.full_minus_real.low), signed_points(all.full_minus_real.high),
                  all.p_full_real),
      width, LineInk::kNone, 2);
}

void add_budget(InkedLines& lines, const BudgetStudy& study, size_t width) {
  const BudgetChoice& choice = study.choice;
  const std::string halves = fmt::format("{}: budget chosen on {} samples, judged on the other {}",
                                         study.selector, choice.development, choice.held_out);
  if (!choice.budget) {
    lines.paragraph(fmt::format("{}: none of them stays within {:.0f} points of full attention.",
                                halves, kBudgetMargin * 100),
                    width, LineInk::kNone, 2);
    return;
  }
  lines.paragraph(
      fmt::format(
          "{}: {} tokens, {} points against full attention there ({} to {}); a loss of {:.0f} "
          "points is {}.",
          halves, *choice.budget, signed_points(choice.difference.value),
          signed_points(choice.difference.low), signed_points(choice.difference.high),
          kBudgetMargin * 100, choice.holds ? "ruled out" : "not ruled out"),
      width, LineInk::kNone, 2);
}

Json budget_json(const BudgetStudy& study) {
  const BudgetChoice& choice = study.choice;
  Json json = {{"selector", study.selector},
               {"budgets", study.budgets},
               {"margin", kBudgetMargin},
               {"left_out", study.left_out},
               {"development", choice.development},
               {"held_out", choice.held_out},
               {"chosen", nullptr}};
  if (!choice.budget) return json;
  json["chosen"] = *choice.budget;
  json["development_difference"] = choice.development_difference;
  json["held_out_difference"] = limits_json(choice.difference);
  json["lost"] = choice.counts.only_a;
  json["gained"] = choice.counts.only_b;
  json["p"] = choice.p;
  json["bound"] = choice.bound;
  json["holds"] = choice.holds;
  return json;
}

Json cross_json(const CrossTable& table) {
  Json groups = Json::array();
  for (const CrossGroup& group : table.groups) {
    Json cells = Json::object();
    for (int full = 1; full >= 0; --full)
      for (int oracle = 1; oracle >= 0; --oracle)
        for (int real = 1; real >= 0; --real)
          cells[fmt::format("full{} oracle{} real{}", full, oracle, real)] =
              group.cells.count[static_cast<size_t>(full)][static_cast<size_t>(oracle)]
                               [static_cast<size_t>(real)];
    groups.push_back({{"kind", group.kind},
                      {"name", group.name},
                      {"n", group.cells.n()},
                      {"cells", std::move(cells)},
                      {"sparsity_loss", group.cells.sparsity_loss()},
                      {"selector_loss", group.cells.selector_loss()},
                      {"luck", group.cells.luck()},
                      {"full_minus_real", limits_json(group.full_minus_real)},
                      {"p_full_real", group.p_full_real},
                      {"p_full_oracle", group.p_full_oracle},
                      {"p_oracle_real", group.p_oracle_real},
                      {"p_full_real_holm", group.p_full_real_holm},
                      {"p_oracle_real_holm", group.p_oracle_real_holm}});
  }
  return {{"full", table.full},
          {"oracle", table.oracle},
          {"real", table.real},
          {"left_out", table.left_out},
          {"groups", std::move(groups)}};
}

}  // namespace

std::string arm_table(const ArmStudy& study, const TableStyle& style) {
  const size_t width = std::max(style.width, kNarrowest);
  InkedLines lines(style.colour);
  size_t name = 4;
  for (const ArmSummary& arm : study.arms)
    name = std::max(name, display_width(terminal_safe(arm.arm.name)));
  name = std::min({name, kLongestName, width / 2}) + 1;
  const std::vector<Column> columns = columns_for(width - name);
  const ArmVerdict verdict = arm_verdict(study);
  lines.paragraph(verdict.headline, width, LineInk::kStrong);
  for (const std::string& sentence : verdict.sentences)
    lines.paragraph("- " + sentence, width, LineInk::kNone, 2);
  lines.end_line();
  lines.add(padded_left("arm", name), LineInk::kStrong);
  for (const Column& column : columns)
    lines.add(padded_right(column.head, column.width), LineInk::kFaint);
  lines.end_line();
  for (const ArmSummary& arm : study.arms) {
    lines.add(padded_left(cut_to_width(terminal_safe(arm.arm.name), name - 1), name));
    for (const Column& column : columns)
      lines.add(padded_right(column.value(arm), column.width),
                column.head == "− full" ? ink_of(arm) : LineInk::kNone);
    lines.end_line();
  }
  lines.paragraph(
      "right: percent of all samples, failures wrong; − full: against full attention on the same "
      "samples, p after Holm among the arms; read: key-value pairs read in percent of full "
      "attention's, those read to select included; joint, recall, path: percent of steps and "
      "layers that read all evidence at once, share of it read, steps whose layers read a chain in "
      "order.",
      width, LineInk::kFaint);
  for (const BudgetStudy& budget : study.budgets) {
    lines.end_line();
    add_budget(lines, budget, width);
  }
  for (const CrossTable& table : study.crosses) {
    lines.end_line();
    add_cross(lines, table, width);
  }
  return lines.take();
}

Json arm_study_json(const ArmStudy& study) {
  Json arms = Json::array();
  for (const ArmSummary& arm : study.arms) {
    Json json = {{"arm", arm_json(arm.arm)},
                 {"selector", chooses_by_itself(arm.arm)},
                 {"standing", std::string(to_text(standing_of(arm)))},
                 {"score", limits_json(arm.score)},
                 {"asked", arm.asked},
                 {"right", arm.right},
                 {"full_right", arm.full_right},
                 {"both_right", arm.both_right},
                 {"read_share", knows_cost(arm) ? Json(arm.read_share) : Json(nullptr)},
                 {"kv_bytes", arm.kv_bytes},
                 {"flops", arm.flops},
                 {"dominated", arm.dominated},
                 {"surely_dominated", arm.surely_dominated},
                 {"covered", arm.covered},
                 {"coverage", arm.covered > 0 ? coverage_json(arm.coverage) : Json(nullptr)}};
    if (arm.against)
      json["against_full"] = {{"difference", limits_json(arm.against->difference)},
                              {"both", arm.against->counts.both},
                              {"lost", arm.against->counts.only_a},
                              {"gained", arm.against->counts.only_b},
                              {"neither", arm.against->counts.neither},
                              {"p", arm.against->p},
                              {"p_holm", arm.p_holm}};
    arms.push_back(std::move(json));
  }
  Json budgets = Json::array();
  for (const BudgetStudy& budget : study.budgets) budgets.push_back(budget_json(budget));
  Json crosses = Json::array();
  for (const CrossTable& table : study.crosses) crosses.push_back(cross_json(table));
  Json noise = nullptr;
  if (study.noise) noise = {{"samples", study.noise->n()}, {"differ", study.noise->discordant()}};
  const ArmVerdict verdict = arm_verdict(study);
  return {{"verdict", {{"headline", verdict.headline}, {"sentences", verdict.sentences}}},
          {"arms", std::move(arms)},
          {"budgets", std::move(budgets)},
          {"crosses", std::move(crosses)},
          {"noise_floor", noise},
          {"readings", log_study_json(study.readings)}};
}

}  // namespace fathom
