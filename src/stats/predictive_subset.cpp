#include "stats/predictive_subset.h"

#include <bit>
#include <cmath>
#include <optional>

namespace fathom {
namespace {

struct ModelTable {
  std::span<const double> scores;
  size_t tasks = 0;
  size_t models = 0;
  std::vector<double> overall;  // mean over all tasks, by model

  [[nodiscard]] double at(size_t model, size_t task) const { return scores[model * tasks + task]; }
};

struct SubsetError {
  double mean_square = 0;
  double worst = 0;
};

std::vector<size_t> members(uint32_t mask) {
  std::vector<size_t> tasks;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
    tasks.push_back(static_cast<size_t>(std::countr_zero(rest)));
  return tasks;
}

// Solves a symmetric positive definite system in place by Cholesky's factors.
std::vector<double> solve(std::vector<double> matrix, std::vector<double> right) {
  const size_t n = right.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = matrix[i * n + j];
      for (size_t k = 0; k < j; ++k) sum -= matrix[i * n + k] * matrix[j * n + k];
      matrix[i * n + j] = i == j ? std::sqrt(sum) : sum / matrix[j * n + j];
    }
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k) right[i] -= matrix[i * n + k] * right[k];
    right[i] /= matrix[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) right[i] -= matrix[k * n + i] * right[k];
    right[i] /= matrix[i * n + i];
  }
  return right;
}

// What ridge regression fitted on all models but `left_out` says of that one. Columns and target
// are centred on the models fitted, so the intercept is not shrunk.
double ridge_prediction(const ModelTable& table, const std::vector<size_t>& tasks,
                        size_t left_out) {
  const size_t size = tasks.size();
  const auto fitted_models = static_cast<double>(table.models - 1);
  std::vector<double> centre(size);
  double target_centre = 0;
  for (size_t model = 0; model < table.models; ++model) {
    if (model == left_out) continue;
    target_centre += table.overall[model] / fitted_models;
    for (size_t i = 0; i < size; ++i) centre[i] += table.at(model, tasks[i]) / fitted_models;
  }
  std::vector<double> gram(size * size);
  std::vector<double> right(size);
  double squares = 0;
  for (size_t model = 0; model < table.models; ++model) {
    if (model == left_out) continue;
    for (size_t i = 0; i < size; ++i) {
      const double x = table.at(model, tasks[i]) - centre[i];
      right[i] += x * (table.overall[model] - target_centre);
      squares += x * x;
      for (size_t j = 0; j < size; ++j)
        gram[i * size + j] += x * (table.at(model, tasks[j]) - centre[j]);
    }
  }
  constexpr double kRidge = 1e-3;
  // A constant column has nothing to say; the tiny floor keeps the system solvable.
  const double ridge = kRidge * squares / static_cast<double>(size) + 1e-12;
  for (size_t i = 0; i < size; ++i) gram[i * size + i] += ridge;
  const std::vector<double> slopes = solve(std::move(gram), std::move(right));
  double prediction = target_centre;
  for (size_t i = 0; i < size; ++i)
    prediction += slopes[i] * (table.at(left_out, tasks[i]) - centre[i]);
  return prediction;
}

double mean_prediction(const ModelTable& table, const std::vector<size_t>& tasks, size_t model) {
  double sum = 0;
  for (const size_t task : tasks) sum += table.at(model, task);
  return sum / static_cast<double>(tasks.size());
}

SubsetError subset_error(const ModelTable& table, const std::vector<size_t>& tasks,
                         SubsetPredictor predictor) {
  SubsetError error;
  for (size_t model = 0; model < table.models; ++model) {
    const double predicted = predictor == SubsetPredictor::kMean
                                 ? mean_prediction(table, tasks, model)
                                 : ridge_prediction(table, tasks, model);
    const double miss = std::abs(predicted - table.overall[model]);
    error.mean_square += miss * miss / static_cast<double>(table.models);
    error.worst = std::max(error.worst, miss);
  }
  return error;
}

}  // namespace

std::vector<PredictiveSubset> predictive_subsets(std::span<const double> scores, size_t tasks,
                                                 SubsetPredictor predictor) {
  if (tasks < 2 || tasks > kMostSubsetTasks || scores.size() < 3 * tasks) return {};
  ModelTable table{.scores = scores, .tasks = tasks, .models = scores.size() / tasks};
  for (size_t model = 0; model < table.models; ++model) {
    double sum = 0;
    for (size_t task = 0; task < tasks; ++task) sum += table.at(model, task);
    table.overall.push_back(sum / static_cast<double>(tasks));
  }
  std::vector<std::optional<PredictiveSubset>> best(tasks);
  for (uint32_t mask = 1; mask + 1 < (uint32_t{1} << tasks); ++mask) {
    std::vector<size_t> chosen = members(mask);
    const SubsetError error = subset_error(table, chosen, predictor);
    std::optional<PredictiveSubset>& known = best[chosen.size()];
    const double root = std::sqrt(error.mean_square);
    if (!known || root < known->error)
      known = PredictiveSubset{.tasks = std::move(chosen), .error = root, .worst = error.worst};
  }
  std::vector<PredictiveSubset> found;
  for (std::optional<PredictiveSubset>& subset : best)
    if (subset) found.push_back(std::move(*subset));
  return found;
}

PredictiveSubset smallest_predictive_subset(std::span<const PredictiveSubset> subsets,
                                            double tolerance) {
  for (const PredictiveSubset& subset : subsets)
    if (subset.error <= tolerance) return subset;
  return subsets.empty() ? PredictiveSubset{} : subsets.back();
}

}  // namespace fathom
