#include "cli/label_agreement.h"

#include <fmt/format.h>

#include "report/terminal_text.h"

namespace fathom {
namespace {

constexpr size_t kAnswerColumns = 70;

std::string share(const Estimate& estimate) {
  return fmt::format("{:.1f} % ({:.1f}–{:.1f})", estimate.value * 100, estimate.low * 100,
                     estimate.high * 100);
}

std::string kappa_text(const Estimate& kappa) {
  if (kappa.method == IntervalMethod::kNone) return fmt::format("{:.2f}", kappa.value);
  return fmt::format("{:.2f} ({:.2f}–{:.2f})", kappa.value, kappa.low, kappa.high);
}

std::string reading_text(const char* name, const ReadingAgreement& agreement) {
  std::string text =
      fmt::format("\n{} reading: agrees in {}, kappa {}\n\n  {:<16}", name,
                  share(agreement.accuracy), kappa_text(agreement.kappa), "label \\ grade");
  for (size_t grade = 0; grade < kLabelClasses; ++grade)
    text += fmt::format("{:>8}", label_class_name(grade));
  text += '\n';
  for (size_t label = 0; label < kLabelClasses; ++label) {
    text += fmt::format("  {:<16}", label_class_name(label));
    for (size_t grade = 0; grade < kLabelClasses; ++grade)
      text += fmt::format("{:>8}", agreement.confusion.at(label, grade));
    text += '\n';
  }
  return text;
}

std::string difference_text(const JudgedReply& reply) {
  std::string text =
      fmt::format("  {} ({})\n    label {}, strict {:.2f}, official {:.2f}",
                  terminal_safe(reply.id), terminal_safe(reply.task),
                  label_class_name(label_class(reply.label)), reply.strict, reply.official);
  if (reply.labelled_miss || reply.miss)
    text += fmt::format("\n    kind: label {}, grader {}",
                        reply.labelled_miss ? to_text(*reply.labelled_miss) : "–",
                        reply.miss ? to_text(reply.miss->kind) : "–");
  return text +
         fmt::format("\n    {}\n", cut_to_width(terminal_safe(reply.answer), kAnswerColumns));
}

}  // namespace

std::string agreement_text(const GraderAgreement& agreement) {
  std::string text = fmt::format("{} labelled replies\n", agreement.replies.size());
  text += reading_text("official", agreement.official);
  text += reading_text("strict", agreement.strict);
  if (agreement.misses_labelled > 0)
    text += fmt::format("\nkinds of misses: {} of {} as labelled, {}\n", agreement.misses_agreed,
                        agreement.misses_labelled, share(agreement.miss_accuracy));
  std::string differences;
  for (const JudgedReply& reply : agreement.replies)
    if (!agrees(reply) || !miss_agrees(reply)) differences += difference_text(reply);
  if (!differences.empty())
    text += "\ndiffering from the label, by the strict reading or the kind:\n" + differences;
  return text;
}

}  // namespace fathom
