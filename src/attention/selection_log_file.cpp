#include "attention/selection_log_file.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attention/block_grid.h"
#include "io/json.h"
#include "io/json_fields.h"
#include "io/jsonl.h"

namespace fathom {
namespace {

using Element = simdjson::dom::element;
using List = simdjson::dom::array;

constexpr int64_t kMostLayers = 10'000;
constexpr int64_t kMostHeads = 65'536;
// Sets per head are united at once and forgotten: they cost time, not memory.
constexpr int64_t kMostPassingBytes = 16 * kMostLogBytes;

int64_t bytes_of_set(int64_t blocks) { return (blocks + 63) / 64 * 8; }

// What a line may still make the reader allocate.
struct Room {
  int64_t kept = kMostLogBytes;
  int64_t passing = kMostPassingBytes;
};

Result<int64_t> ranged(const JsonFields& fields, std::string_view key, int64_t low, int64_t high) {
  TRY(const int64_t value, fields.integer(key));
  if (value < low || value > high)
    return fail(fields.wrong(key, fmt::format("from {} to {}, not {}", low, high, value)));
  return value;
}

// Runs of an ascending list: a number alone, or [begin, end). `limit`: what every end stays within.
class Runs {
 public:
  Runs(const JsonFields& fields, std::string_view key, int64_t limit)
      : fields_(fields), key_(key), limit_(limit) {}

  template <typename Visit>
  Result<void> visit(const List& list, Visit visit) const {
    int64_t least = 0;
    for (const Element element : list) {
      TRY(const auto run, run_of(element));
      const auto [begin, end] = run;
      if (begin < least || end <= begin || end > limit_) return fail(refused(begin, end, least));
      TRY_VOID(visit(begin, end));
      least = end;
    }
    return {};
  }

 private:
  Result<std::pair<int64_t, int64_t>> run_of(const Element& element) const {
    int64_t single = 0;
    if (element.get(single) == simdjson::SUCCESS)
      return std::pair(single, single < INT64_MAX ? single + 1 : single);
    List pair;
    int64_t ends[2] = {};
    size_t count = 0;
    if (element.get(pair) == simdjson::SUCCESS) {
      for (const Element each : pair) {
        if (count == 2 || each.get(ends[count]) != simdjson::SUCCESS) {
          count = 0;
          break;
        }
        ++count;
      }
    }
    if (count != 2)
      return fail(fields_.wrong(key_, "a list of whole numbers and of ranges [begin, end)"));
    return std::pair(ends[0], ends[1]);
  }
  Error refused(int64_t begin, int64_t end, int64_t least) const {
    if (end <= begin || begin < 0)
      return fields_.wrong(
          key_, fmt::format("numbers of 0 or more and ranges that are not empty, not [{}, {}); "
                            "leave padding such as -1 out",
                            begin, end));
    if (end > limit_)
      return fields_.wrong(key_, fmt::format("below {}: the query cannot see [{}, {}); is "
                                             "'position' that of the query itself?",
                                             limit_, begin, end));
    return fields_.wrong(key_, fmt::format("ascending without repeats: {} comes after {}; sort it",
                                           begin, least - 1));
  }

  const JsonFields& fields_;
  std::string_view key_;
  int64_t limit_;
};

Error too_large(const JsonFields& look, std::string_view key) {
  return look.wrong(key, fmt::format("smaller: the sets of this line take more than {} MiB; log "
                                     "larger blocks, or fewer layers or steps",
                                     kMostLogBytes >> 20));
}

Result<BlockSet> block_set(const JsonFields& look, std::string_view key, const List& list,
                           const BlockGrid& grid) {
  BlockSet set(grid.size());
  TRY_VOID(
      Runs(look, key, grid.size()).visit(list, [&](int64_t begin, int64_t end) -> Result<void> {
        set.insert(begin, end);
        return {};
      }));
  return set;
}

Result<BlockSet> block_set_of_tokens(const JsonFields& look, const List& list,
                                     const BlockGrid& grid) {
  BlockSet set(grid.size());
  const auto insert = [&](int64_t begin, int64_t end) -> Result<void> {
    const bool whole = (begin % grid.block == 0 || begin == grid.first) &&
                       (end % grid.block == 0 || end == grid.position + 1);
    if (!whole)
      return fail(look.wrong("tokens", fmt::format("whole blocks of {}, not [{}, {}); a log of "
                                                   "single tokens has \"block\": 1",
                                                   grid.block, begin, end)));
    set.insert(begin / grid.block, (end - 1) / grid.block + 1);
    return {};
  };
  TRY_VOID(Runs(look, "tokens", grid.position + 1).visit(list, insert));
  return set;
}

Result<Selection> selection_of_heads(const JsonFields& look, const List& heads,
                                     const AttentionShape& shape, const BlockGrid& grid,
                                     Room& room) {
  const auto count = static_cast<int64_t>(heads.size());
  if (count != 1 && count != shape.kv_heads && count != shape.query_heads)
    return fail(look.wrong("heads", fmt::format("one list for all heads, {} (one per kv head) or "
                                                "{} (one per query head), not {}",
                                                shape.kv_heads, shape.query_heads, count)));
  room.passing -= count * bytes_of_set(grid.size());
  if (room.passing < 0) return fail(too_large(look, "heads"));
  Selection selection;
  for (const Element each : heads) {
    List list;
    if (each.get(list) != simdjson::SUCCESS)
      return fail(look.wrong("heads", "a list of lists of blocks"));
    TRY(selection.sets.emplace_back(), block_set(look, "heads", list, grid));
  }
  return selection;
}

// What a look reads, by the one key that says so.
Result<Selection> selection_of(const JsonFields& look, const AttentionShape& shape,
                               const BlockGrid& grid, Room& room) {
  room.kept -= bytes_of_set(grid.size());
  if (room.kept < 0) return fail(too_large(look, "blocks"));
  if (look.has("heads")) {
    TRY(const List heads, look.array("heads"));
    return selection_of_heads(look, heads, shape, grid, room);
  }
  Selection selection;
  if (look.has("tokens")) {
    TRY(const List list, look.array("tokens"));
    TRY(selection.sets.emplace_back(), block_set_of_tokens(look, list, grid));
  } else {
    TRY(const List list, look.array("blocks"));
    TRY(selection.sets.emplace_back(), block_set(look, "blocks", list, grid));
  }
  return selection;
}

Result<bool> is_true(const JsonFields& look, std::string_view key) {
  if (!look.has(key)) return false;
  return look.boolean(key);
}

Result<std::vector<BlockCandidate>> candidates_of(const JsonFields& look, int64_t blocks) {
  std::vector<BlockCandidate> candidates;
  if (!look.has("candidates")) return candidates;
  TRY(const List list, look.array("candidates"));
  const auto wrong = [&] {
    return look.wrong("candidates",
                      fmt::format("a list of [block, score] or [block, score, mass], blocks "
                                  "ascending and below {}, masses of 0 or more",
                                  blocks));
  };
  for (const Element element : list) {
    List entry;
    if (element.get(entry) != simdjson::SUCCESS || entry.size() < 2 || entry.size() > 3)
      return fail(wrong());
    BlockCandidate candidate;
    double mass = 0;
    const bool read = entry.at(0).get(candidate.block) == simdjson::SUCCESS &&
                      entry.at(1).get(candidate.score) == simdjson::SUCCESS &&
                      (entry.size() < 3 || entry.at(2).get(mass) == simdjson::SUCCESS);
    const int64_t least = candidates.empty() ? 0 : candidates.back().block + 1;
    if (!read || candidate.block < least || candidate.block >= blocks || mass < 0)
      return fail(wrong());
    if (entry.size() == 3) candidate.mass = mass;
    candidates.push_back(candidate);
  }
  return candidates;
}

// Pairs counted by the engine, which knows of heads what the union does not say.
Result<void> take_pairs(const JsonFields& look, const AttentionShape& shape,
                        LoggedSelection& logged) {
  if (!look.has("pairs")) return {};
  if (logged.everything || look.has("heads"))
    return fail(look.wrong("pairs", "left out here: it follows from the rest"));
  // As counted so far, every kv head reads the union.
  const double most = logged.pairs;
  const double least = most / shape.kv_heads;
  TRY(logged.pairs, look.number("pairs"));
  if (logged.pairs < least || logged.pairs > most)
    return fail(look.wrong(
        "pairs", fmt::format("from {} (the union of all heads' blocks) to {} ({} kv heads that "
                             "read all of it), not {}",
                             least, most, shape.kv_heads, logged.pairs)));
  return {};
}

Result<LoggedSelection> look_from(const JsonFields& look, const SelectionLog& log, int64_t position,
                                  Room& room) {
  TRY(const int64_t layer, ranged(look, "layer", 0, log.layers - 1));
  int64_t first = 0;
  if (look.has("first")) {
    TRY(first, ranged(look, "first", 0, position));
  }
  TRY(const bool dense, is_true(look, "dense"));
  TRY(const bool all, is_true(look, "all"));
  int ways = (dense ? 1 : 0) + (all ? 1 : 0);
  for (const char* key : {"blocks", "tokens", "heads"}) ways += look.has(key) ? 1 : 0;
  if (ways != 1)
    return fail(look.wrong("blocks",
                           "the only one of 'dense', 'all', 'blocks', 'tokens' and "
                           "'heads': each look has exactly one of them"));
  const BlockGrid grid{.block = log.block, .first = first, .position = position};
  Selection selection{.sets = {}, .everything = true};
  if (!dense && !all) {
    TRY(selection, selection_of(look, log.shape, grid, room));
  }
  LoggedSelection entry = logged(static_cast<int>(layer), position, first,
                                 dense ? nullptr : &selection, log.shape, log.block);
  TRY_VOID(take_pairs(look, log.shape, entry));
  if (look.has("to_select")) {
    TRY(entry.pairs_to_select, look.number("to_select"));
    if (entry.pairs_to_select < 0) return fail(look.wrong("to_select", "0 or more"));
  }
  TRY(entry.candidates, candidates_of(look, grid.size()));
  return entry;
}

Result<void> add_step(const JsonFields& step, int64_t least, SelectionLog& log, Room& room) {
  TRY(const int64_t position, ranged(step, "position", 0, kMostLogPositions - 1));
  if (position < least)
    return fail(step.wrong("position", fmt::format("above the step before, not {}; a step that is "
                                                   "computed again is written once",
                                                   position)));
  TRY(const std::vector<JsonFields> looks, step.objects("looks"));
  int last = -1;
  for (const JsonFields& each : looks) {
    TRY(LoggedSelection entry, look_from(each, log, position, room));
    if (entry.layer <= last)
      return fail(each.wrong(
          "layer", fmt::format("above the look before, not {}; one look a layer", entry.layer)));
    last = entry.layer;
    log.selections.push_back(std::move(entry));
  }
  return {};
}

Json runs_of(const BlockSet& blocks) {
  Json runs = Json::array();
  int64_t begin = 0;
  int64_t end = 0;
  const auto close = [&] {
    if (end == begin + 1) runs.push_back(begin);
    if (end > begin + 1) runs.push_back({begin, end});
  };
  blocks.for_each([&](int64_t b) {
    if (b != end) {
      close();
      begin = b;
    }
    end = b + 1;
  });
  close();
  return runs;
}

Json look_json(const LoggedSelection& entry, const SelectionLog& log) {
  Json look = {{"layer", entry.layer}};
  if (entry.first > 0) look["first"] = entry.first;
  if (entry.dense) {
    look["dense"] = true;
  } else if (entry.everything) {
    look["all"] = true;
  } else {
    look["blocks"] = runs_of(entry.blocks);
    const Selection shared{.sets = {entry.blocks}};
    const double all_heads =
        logged(entry.layer, entry.position, entry.first, &shared, log.shape, log.block).pairs;
    if (entry.pairs != all_heads) look["pairs"] = entry.pairs;
  }
  if (entry.pairs_to_select > 0) look["to_select"] = entry.pairs_to_select;
  if (entry.candidates.empty()) return look;
  Json& candidates = look["candidates"] = Json::array();
  for (const BlockCandidate& each : entry.candidates) {
    if (!std::isfinite(each.score)) continue;
    Json& one = candidates.emplace_back(Json::array({each.block, each.score}));
    if (each.mass) one.push_back(*each.mass);
  }
  return look;
}

}  // namespace

std::string selection_log_line(const SelectionLog& log) {
  std::vector<const LoggedSelection*> entries;
  for (const LoggedSelection& each : log.selections) entries.push_back(&each);
  // An engine logs a batch layer by layer; a line goes query by query.
  std::ranges::stable_sort(entries, [](const LoggedSelection* a, const LoggedSelection* b) {
    return std::pair(a->position, a->layer) < std::pair(b->position, b->layer);
  });
  Json steps = Json::array();
  int64_t position = -1;
  for (const LoggedSelection* each : entries) {
    if (each->position != position)
      steps.push_back({{"position", each->position}, {"looks", Json::array()}});
    position = each->position;
    steps.back()["looks"].push_back(look_json(*each, log));
  }
  return to_json_line({{"sample", log.sample_id},
                       {"arm", log.arm},
                       {"layers", log.layers},
                       {"query_heads", log.shape.query_heads},
                       {"kv_heads", log.shape.kv_heads},
                       {"head_size", log.shape.head_size},
                       {"block", log.block},
                       {"context_tokens", log.context_tokens},
                       {"prompt_tokens", log.prompt_tokens},
                       {"steps", std::move(steps)}});
}

Result<SelectionLog> selection_log_from_line(std::string_view line, std::string_view where) {
  TRY(const JsonFields fields, parse_fields(line, where));
  SelectionLog log;
  TRY(log.sample_id, fields.text("sample"));
  if (log.sample_id.empty()) return fail(fields.wrong("sample", "the sample's id, not empty"));
  TRY(log.arm, fields.text("arm"));
  TRY(const int64_t layers, ranged(fields, "layers", 1, kMostLayers));
  TRY(const int64_t query_heads, ranged(fields, "query_heads", 1, kMostHeads));
  TRY(const int64_t kv_heads, ranged(fields, "kv_heads", 1, query_heads));
  if (query_heads % kv_heads != 0)
    return fail(fields.wrong("kv_heads", fmt::format("a divisor of query_heads ({}); with tensor "
                                                     "parallelism write those of the whole model",
                                                     query_heads)));
  TRY(const int64_t head_size, ranged(fields, "head_size", 1, kMostHeads));
  log.layers = static_cast<int>(layers);
  log.shape = {.query_heads = static_cast<int>(query_heads),
               .kv_heads = static_cast<int>(kv_heads),
               .head_size = static_cast<int>(head_size)};
  TRY(log.block, ranged(fields, "block", 1, kMostLogPositions));
  TRY(log.prompt_tokens, ranged(fields, "prompt_tokens", 1, kMostLogPositions));
  log.context_tokens = log.prompt_tokens;
  if (fields.has("context_tokens")) {
    TRY(log.context_tokens, ranged(fields, "context_tokens", 0, log.prompt_tokens));
  }
  TRY(const std::vector<JsonFields> steps, fields.objects("steps"));
  Room room;
  int64_t least = 0;
  for (const JsonFields& step : steps) {
    TRY_VOID(add_step(step, least, log, room));
    TRY(const int64_t position, step.integer("position"));
    least = position + 1;
  }
  return log;
}

Result<void> for_each_selection_log(const std::string& path,
                                    const std::function<Result<void>(SelectionLog&&)>& take) {
  return for_each_line(path, [&](size_t number, std::string_view text) -> Result<void> {
    TRY(SelectionLog log, selection_log_from_line(text, fmt::format("{}:{}", path, number)));
    return take(std::move(log));
  });
}

}  // namespace fathom
