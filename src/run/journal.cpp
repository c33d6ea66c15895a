#include "run/journal.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "io/parsed_lines.h"
#include "run/journal_line.h"

namespace fathom {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// Whole lines only: bytes after the last newline are a torn line.
Result<void> for_each_whole_line(
    const std::string& path, const std::function<Result<void>(size_t, std::string_view)>& visit) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
  if (!file) return fail(ErrorCode::kIo, "{}: cannot be opened: {}", path, std::strerror(errno));
  std::string pending;
  std::string block(1 << 18, '\0');
  size_t number = 0;
  for (;;) {
    const size_t got = std::fread(block.data(), 1, block.size(), file.get());
    if (got == 0) break;
    std::string_view rest(block.data(), got);
    for (size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      pending.append(rest.substr(0, end));
      rest.remove_prefix(end + 1);
      ++number;
      if (!pending.empty()) TRY_VOID(visit(number, pending));
      pending.clear();
    }
    pending.append(rest);
  }
  if (std::ferror(file.get()) != 0)
    return fail(ErrorCode::kIo, "{}: cannot be read: {}", path, std::strerror(errno));
  return {};
}

Result<void> check_header(std::string_view line, const std::string& path,
                          const std::string& run_id) {
  TRY(const JournalHeader header, journal_header(line, path + ":1"));
  if (!run_id.empty() && header.run_id != run_id)
    return fail(ErrorCode::kInput,
                "{}:1: belongs to run {}, not to run {} of run.json beside it; put the file back "
                "where it came from",
                path, header.run_id, run_id);
  return {};
}

struct AttemptKey {
  std::string sample;
  int64_t number = 0;
  bool operator==(const AttemptKey&) const = default;
};

struct HashAttemptKey {
  size_t operator()(const AttemptKey& key) const {
    return std::hash<std::string>{}(key.sample) +
           static_cast<size_t>(key.number) * 0x9E3779B97F4A7C15U;
  }
};

}  // namespace

bool is_final(Outcome outcome) {
  return outcome != Outcome::kErrorPermanent && outcome != Outcome::kErrorTransient;
}

std::string journal_name(const RunShard& shard) {
  if (shard.count <= 1) return "attempts.jsonl";
  return fmt::format("attempts-{}-of-{}.jsonl", shard.index, shard.count);
}

Result<std::vector<std::string>> journal_files(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> out;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("attempts") && name.ends_with(".jsonl"))
      out.push_back(entry->path().string());
  }
  if (error) return fail(ErrorCode::kIo, "{}: cannot be listed: {}", folder, error.message());
  std::sort(out.begin(), out.end());
  return out;
}

Result<void> for_each_attempt(const std::string& path, const std::string& run_id,
                              const std::function<Result<void>(Attempt&&)>& visit) {
  ParsedLines<Attempt> parsed(path, attempt_from_line, visit);
  TRY_VOID(for_each_whole_line(path, [&](size_t number, std::string_view line) -> Result<void> {
    if (number == 1) return check_header(line, path, run_id);
    return parsed.add(number, line);
  }));
  return parsed.finish();
}

Result<std::vector<Attempt>> read_attempts(const std::string& folder) {
  TRY(const std::vector<std::string> files, journal_files(folder));
  std::vector<Attempt> attempts;
  std::vector<bool> counts;  // of each attempt
  std::unordered_map<AttemptKey, size_t, HashAttemptKey> places;
  const auto keep = [&](Attempt&& attempt) -> Result<void> {
    const auto [place, first] =
        places.try_emplace({attempt.sample_id, attempt.number}, attempts.size());
    if (!first) {
      if (!is_final(attempt.outcome) && is_final(attempts[place->second].outcome)) return {};
      counts[place->second] = false;
      place->second = attempts.size();
    }
    attempts.push_back(std::move(attempt));
    counts.push_back(true);
    return {};
  };
  for (const std::string& file : files) TRY_VOID(for_each_attempt(file, "", keep));
  size_t kept = 0;
  for (size_t i = 0; i < attempts.size(); ++i) {
    if (!counts[i]) continue;
    if (kept != i) attempts[kept] = std::move(attempts[i]);
    ++kept;
  }
  attempts.resize(kept);
  return attempts;
}

Result<Journal> Journal::open(const std::string& path, const std::string& run_id) {
  TRY(AppendFile file, AppendFile::open(path));
  bool empty = true;
  const auto first = for_each_whole_line(path, [&](size_t, std::string_view line) -> Result<void> {
    empty = false;
    TRY_VOID(check_header(line, path, run_id));
    return fail(ErrorCode::kStopped, "seen");  // one line is enough
  });
  if (!first && first.error().code != ErrorCode::kStopped) return fail(first.error());
  if (empty) TRY_VOID(file.append(to_journal_line(JournalHeader{.run_id = run_id}) + "\n", true));
  return Journal(std::move(file));
}

Result<void> Journal::append(const std::vector<Attempt>& attempts) {
  std::string lines;
  for (const Attempt& attempt : attempts) lines += to_journal_line(attempt) + "\n";
  const auto written = file_.append(lines, true);
  if (!written)
    return fail(written.error().code,
                "{}; the run stops here and keeps what was finished before: free some disk space "
                "and give the same command again",
                written.error().message);
  return {};
}

}  // namespace fathom
