#include "run/run.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "io/file.h"
#include "run/folder_lock.h"
#include "run/inbox.h"
#include "run/journal.h"
#include "run/order.h"
#include "run/request.h"
#include "run/scheduler.h"
#include "run/settings_json.h"
#include "run/speed_sample.h"

namespace fathom {
namespace {

std::string new_run_id(const Clock& clock) {
  std::random_device device;
  std::string bytes = fmt::format("{} {}", clock.unix_ms(), ::getpid());
  for (int i = 0; i < 4; ++i) bytes += fmt::format(" {}", device());
  return hash_hex(bytes);
}

// New names in a folder survive a power cut only when the folder itself is synced.
void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)::fsync(descriptor);
  ::close(descriptor);
}

// Shards start at the same moment; each holds run.json for milliseconds.
Result<FolderLock> take_record_lock(const std::string& folder) {
  constexpr int kTries = 100;
  for (int i = 0;; ++i) {
    auto lock = FolderLock::take(folder + "/run.json.lock");
    if (lock || lock.error().code != ErrorCode::kUsage || i == kTries) return lock;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

Result<void> check_options(const RunOptions& options) {
  if (options.folder.empty()) return fail(ErrorCode::kUsage, "a run needs a folder; give one");
  if (options.settings.attempts < 1)
    return fail(ErrorCode::kUsage, "attempts per sample must be 1 or more, not {}",
                options.settings.attempts);
  const RunShard& shard = options.shard;
  if (shard.count < 1 || shard.index < 0 || shard.index >= shard.count)
    return fail(ErrorCode::kUsage, "shard {} of {} does not exist; shards are 0 to {}", shard.index,
                shard.count, std::max<int64_t>(shard.count - 1, 0));
  return {};
}

}  // namespace

struct Run::State {
  RunOptions options;
  SampleSource* source = nullptr;
  const Clock* clock = nullptr;
  Waiter* waiter = nullptr;  // null: wait for real
  std::unique_ptr<FolderLock> lock;
  std::unique_ptr<Journal> journal;
  RunRecord record;
  bool resumed = false;
  std::vector<SampleInfo> infos;
  std::vector<Ask> asks;  // what is left, in order
  Plan plan;
  RunSummary summary;
  bool executed = false;

  [[nodiscard]] std::string path(const std::string& name) const {
    return options.folder + "/" + name;
  }
  Result<void> open_record(const std::vector<std::string>& journals);
  Result<void> add_session();
  Result<void> load_infos();
  Result<void> make_asks(const std::vector<std::string>& journals);
  void make_plan(const std::vector<Ask>& mine,
                 const std::map<std::pair<size_t, int64_t>, Outcome>& done,
                 const SpeedSample& measured);
};

Result<void> Run::State::open_record(const std::vector<std::string>& journals) {
  TRY(const FolderLock record_lock, take_record_lock(options.folder));
  resumed = file_exists(path("run.json"));
  if (!resumed && !journals.empty())
    return fail(ErrorCode::kInput,
                "{}: holds a journal but no run.json; use another folder, or put its run.json back",
                options.folder);
  std::vector<std::string> changed;
  if (resumed) {
    TRY(record, read_run_record(options.folder));
    TRY(changed, check_same_settings(options.folder, record.settings, options.settings,
                                     options.allowed_changes));
  } else {
    record.id = new_run_id(*clock);
    record.created_unix_ms = clock->unix_ms();
    record.settings = options.settings;
  }
  RunSession session;
  session.started_unix_ms = clock->unix_ms();
  session.fathom_version = options.fathom_version;
  session.machine = this_machine();
  session.shard = options.shard;
  session.threads = options.threads;
  session.limits = options.limits;
  session.changed = std::move(changed);
  record.sessions.push_back(std::move(session));
  if (resumed) return {};  // written when there is something to do
  return write_run_record(options.folder, record);
}

Result<void> Run::State::add_session() {
  TRY(const FolderLock record_lock, take_record_lock(options.folder));
  TRY(RunRecord now, read_run_record(options.folder));  // other shards may have added theirs
  now.sessions.push_back(record.sessions.back());
  record = std::move(now);
  return write_run_record(options.folder, record);
}

Result<void> Run::State::load_infos() {
  infos.reserve(source->count());
  for (size_t i = 0; i < source->count(); ++i) {
    TRY(SampleInfo info, source->info(i));
    infos.push_back(std::move(info));
  }
  return {};
}

Result<void> Run::State::make_asks(const std::vector<std::string>& journals) {
  std::unordered_map<std::string_view, size_t> positions;
  for (size_t i = 0; i < infos.size(); ++i)
    if (!positions.emplace(infos[i].id, i).second)
      return fail(ErrorCode::kInput, "the dataset holds two samples with id '{}'", infos[i].id);

  std::map<std::pair<size_t, int64_t>, Outcome> done;
  SpeedSample measured;
  for (const std::string& file : journals) {
    const auto keep = [&](Attempt&& attempt) -> Result<void> {
      const auto found = positions.find(attempt.sample_id);
      if (found == positions.end())
        return fail(ErrorCode::kInput, "{}: sample '{}' is not in the dataset of this run", file,
                    attempt.sample_id);
      const SampleInfo& info = infos[found->second];
      if (!info.hash.empty() && !attempt.sample_hash.empty() && info.hash != attempt.sample_hash)
        return fail(ErrorCode::kInput,
                    "{}: sample '{}' was answered with hash {}, the dataset has {} now; use "
                    "another folder for the changed dataset",
                    file, attempt.sample_id, attempt.sample_hash, info.hash);
      measured.add(attempt);
      if (!is_final(attempt.outcome) && options.limits.retry_errors) return {};
      done[{found->second, attempt.number}] = attempt.outcome;
      return {};
    };
    TRY_VOID(for_each_attempt(file, record.id, keep));
  }

  std::vector<Ask> mine;
  size_t place = 0;
  for (const size_t position : running_order(infos)) {
    if (static_cast<int64_t>(place++ % static_cast<size_t>(options.shard.count)) !=
        options.shard.index)
      continue;
    for (int64_t number = 0; number < options.settings.attempts; ++number)
      mine.push_back({position, number});
  }
  for (const Ask& ask : mine)
    if (!done.contains({ask.position, ask.number})) asks.push_back(ask);
  make_plan(mine, done, measured);
  return {};
}

void Run::State::make_plan(const std::vector<Ask>& mine,
                           const std::map<std::pair<size_t, int64_t>, Outcome>& done,
                           const SpeedSample& measured) {
  const ModelProfile& profile = options.settings.profile;
  plan.window_tokens = profile.window_tokens;
  plan.speeds = measured.speeds(assumed_speeds(profile, options.limits));
  std::map<std::string_view, size_t> cell_order;
  for (const SampleInfo& info : infos) cell_order.emplace(info.cell, cell_order.size());
  std::map<std::pair<int64_t, size_t>, PlanRow> rows;
  for (const Ask& ask : mine) {
    const SampleInfo& info = infos[ask.position];
    PlanRow& row = rows[{info.length, cell_order.at(info.cell)}];
    row.length = info.length;
    row.cell = info.cell;
    ++row.attempts;
    const auto finished = done.find({ask.position, ask.number});
    if (finished != done.end()) {
      ++row.finished;
      if (!is_complete(finished->second)) ++row.failed;
      ++summary.outcomes[finished->second];
      continue;
    }
    const int64_t output = output_ceiling(info.tokens, options.settings);
    row.prompt_tokens += info.tokens.prompt;
    row.output_tokens += output;
    row.seconds += request_seconds(plan.speeds, info.tokens.prompt, output) / plan.speeds.at_once;
    if (plan.window_tokens > 0 && info.tokens.prompt + output > plan.window_tokens)
      ++row.over_window;
  }
  for (auto& [key, row] : rows) plan.rows.push_back(std::move(row));
  const PlanRow total = plan.total();
  summary.total = total.attempts;
  summary.before = total.finished;
}

Result<Run> Run::open(RunOptions options, SampleSource& source, const Clock& clock) {
  TRY_VOID(check_options(options));
  auto state = std::make_unique<State>();
  state->options = std::move(options);
  state->source = &source;
  state->clock = &clock;
  const std::string& folder = state->options.folder;
  const std::string journal = state->path(journal_name(state->options.shard));
  TRY_VOID(make_directories(folder));
  TRY(FolderLock lock, FolderLock::take(journal + ".lock"));
  state->lock = std::make_unique<FolderLock>(std::move(lock));
  TRY(std::vector<std::string> journals, journal_files(folder));
  TRY_VOID(state->open_record(journals));
  TRY_VOID(state->load_infos());
  TRY(Journal opened, Journal::open(journal, state->record.id));
  state->journal = std::make_unique<Journal>(std::move(opened));
  if (!state->resumed) sync_folder(folder);
  TRY_VOID(state->make_asks(journals));
  return Run(std::move(state));
}

Run::Run(std::unique_ptr<State> state) : state_(std::move(state)) {}
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;
Run::~Run() = default;

const Plan& Run::plan() const { return state_->plan; }
bool Run::resumed() const { return state_->resumed; }
bool Run::finished() const { return state_->asks.empty(); }
const RunSummary& Run::summary() const { return state_->summary; }
void Run::set_waiter(Waiter& waiter) { state_->waiter = &waiter; }

Result<RunSummary> Run::execute(Model& model, const StopFlag& stop,
                                const std::function<void(const Progress&)>& on_progress) {
  State& state = *state_;
  if (std::exchange(state.executed, true))
    return fail(ErrorCode::kInternal, "{}: a Run is executed once", state.options.folder);
  if (state.asks.empty()) return state.summary;
  if (state.resumed) TRY_VOID(state.add_session());
  ClockWaiter real_waiter(*state.clock);
  const int64_t begin = state.clock->monotonic_ms();
  Scheduler scheduler({.settings = state.options.settings,
                       .limits = state.options.limits,
                       .infos = state.infos,
                       .plan = state.plan,
                       .source = *state.source,
                       .model = model,
                       .journal = *state.journal,
                       .clock = *state.clock,
                       .waiter = state.waiter != nullptr ? *state.waiter : real_waiter,
                       .stop = stop,
                       .on_progress = on_progress},
                      state.asks);
  auto ended = scheduler.run();
  SchedulerCounts counts = scheduler.counts();
  state.summary.made = counts.made;
  state.summary.requests = counts.requests;
  for (const auto& [outcome, count] : counts.outcomes) state.summary.outcomes[outcome] += count;
  state.summary.warnings = std::move(counts.warnings);
  state.summary.seconds = static_cast<double>(state.clock->monotonic_ms() - begin) / 1000;
  state.summary.last = counts.last;
  if (!ended) return fail(std::move(ended).error());
  return state.summary;
}

}  // namespace fathom
