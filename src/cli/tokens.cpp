// fathom tokens count|encode|decode: the tokenizers, for people and for checks against other
// programs.
#include <algorithm>
#include <charconv>

#include "base/threads.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "io/json.h"
#include "io/json_text.h"
#include "io/jsonl.h"
#include "tokenizer/tokenizer.h"

namespace fathom {
namespace {

constexpr uint64_t kMaxId = 0xFFFFFFFF;

enum class Verb { kCount, kEncode, kDecode };

struct TokensOptions {
  std::string tokenizer;
  std::string file = "-";
  bool special = false;
  bool literal = false;
  bool skip_special = false;
  bool jsonl = false;
  bool json = false;
  int threads = 0;
};

std::string joined(const std::vector<TokenId>& ids, char separator) {
  std::string out;
  for (const TokenId id : ids) {
    if (!out.empty()) out += separator;
    out += std::to_string(id);
  }
  return out;
}

Result<std::vector<TokenId>> ids_from_text(const std::string& text, const std::string& where) {
  std::vector<TokenId> ids;
  size_t at = 0;
  while ((at = text.find_first_not_of(" ,[]\t\r\n", at)) != std::string::npos) {
    const size_t end = std::min(text.find_first_of(" ,[]\t\r\n", at), text.size());
    uint64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, value);
    if (error != std::errc() || stop != text.data() + end || value >= kMaxId)
      return fail(ErrorCode::kInput, "{}: '{}' at byte {} is not a token id", where,
                  text.substr(at, end - at), at);
    ids.push_back(static_cast<TokenId>(value));
    at = end;
  }
  return ids;
}

Result<void> check_known(const std::vector<TokenId>& ids, const Tokenizer& tokenizer,
                         const std::string& where) {
  for (const TokenId id : ids) {
    if (id >= tokenizer.info().vocabulary_size)
      return fail(ErrorCode::kInput, "{}: {} is no token of this vocabulary, whose ids end at {}",
                  where, id, tokenizer.info().vocabulary_size - 1);
  }
  return {};
}

Result<int> whole_text(Verb verb, const TokensOptions& options, const Tokenizer& tokenizer) {
  TRY(const std::string text, read_input(options.file));
  const EncodeOptions encode{options.special, !options.literal};
  switch (verb) {
    case Verb::kCount: {
      const size_t count = tokenizer.count(text, encode);
      print(options.json ? fmt::format("{{\"count\":{},\"bytes\":{}}}\n", count, text.size())
                         : fmt::format("{}\n", count));
      return 0;
    }
    case Verb::kEncode: {
      std::vector<TokenId> ids;
      tokenizer.encode(text, encode, ids);
      print(options.json ? "{\"ids\":[" + joined(ids, ',') + "]}\n" : joined(ids, ' ') + "\n");
      return 0;
    }
    case Verb::kDecode: {
      TRY(const std::vector<TokenId> ids, ids_from_text(text, options.file));
      TRY_VOID(check_known(ids, tokenizer, options.file));
      const std::string decoded = tokenizer.decode(ids, options.skip_special);
      print(options.json ? "{\"text\":" + json_text(decoded) + "}\n" : decoded);
      return 0;
    }
  }
  return fail(ErrorCode::kInternal, "tokens: unknown verb");
}

// One line in, one line out: {"id", "text"} → {"id", "count" | "ids"}, {"id", "ids"} → {"id",
// "text"}.
Result<std::string> convert_line(Verb verb, const TokensOptions& options,
                                 const Tokenizer& tokenizer, const std::string& line,
                                 const std::string& where) {
  TRY(const Json json, parse_json(line, where));
  TRY(const JsonReader reader, JsonReader::of(json, where));
  const std::string head = reader.has("id") ? "{\"id\":" + to_json_line(json.at("id")) + "," : "{";
  const EncodeOptions encode{options.special, !options.literal};
  if (verb == Verb::kDecode) {
    TRY(const Json* array, reader.array("ids"));
    std::vector<TokenId> ids;
    for (const Json& id : *array) {
      if (!id.is_number_unsigned() || id.get<uint64_t>() >= kMaxId)
        return fail(ErrorCode::kInput, "{}: key 'ids' must be a list of token ids", where);
      ids.push_back(id.get<TokenId>());
    }
    TRY_VOID(check_known(ids, tokenizer, where));
    return head + "\"text\":" + json_text(tokenizer.decode(ids, options.skip_special)) + "}\n";
  }
  TRY(const std::string text, reader.text("text"));
  if (verb == Verb::kCount)
    return head + fmt::format("\"count\":{}}}\n", tokenizer.count(text, encode));
  std::vector<TokenId> ids;
  tokenizer.encode(text, encode, ids);
  return head + "\"ids\":[" + joined(ids, ',') + "]}\n";
}

Result<int> lines(Verb verb, const TokensOptions& options, const Tokenizer& tokenizer) {
  constexpr size_t kBatch = 256;
  constexpr size_t kBatchBytes = 64 << 20;
  const std::string path = options.file == "-" ? "/dev/stdin" : options.file;
  std::vector<std::pair<size_t, std::string>> batch;
  size_t batch_bytes = 0;
  const auto convert_batch = [&]() -> Result<void> {
    std::vector<Result<std::string>> out(batch.size());
    parallel_for(batch.size(), options.threads, [&](size_t i) {
      out[i] = convert_line(verb, options, tokenizer, batch[i].second,
                            fmt::format("{}:{}", options.file, batch[i].first));
    });
    for (const auto& line : out) {
      TRY(const std::string text, line);
      print(text);
    }
    batch.clear();
    batch_bytes = 0;
    return {};
  };
  TRY_VOID(for_each_line(path, [&](size_t number, std::string_view line) -> Result<void> {
    batch.emplace_back(number, line);
    batch_bytes += line.size();
    return batch.size() == kBatch || batch_bytes > kBatchBytes ? convert_batch() : Result<void>();
  }));
  TRY_VOID(convert_batch());
  return 0;
}

Result<int> tokens(Verb verb, const TokensOptions& options) {
  TRY(const auto tokenizer, load_tokenizer(options.tokenizer));
  for (const std::string& slow : tokenizer->info().slow_paths) print_note("note: " + slow);
  return options.jsonl ? lines(verb, options, *tokenizer) : whole_text(verb, options, *tokenizer);
}

void add_verb(CLI::App& parent, Chosen& chosen, const std::string& name, const std::string& summary,
              Verb verb) {
  auto options = std::make_shared<TokensOptions>();
  CLI::App* command = parent.add_subcommand(name, summary);
  command
      ->add_option("-t,--tokenizer", options->tokenizer,
                   "tokenizer.json (or its folder), *.tiktoken, tekken.json, SentencePiece "
                   "*.model, or *.gguf")
      ->required()
      ->type_name("FILE");
  command->add_option("file", options->file, "Text file, - for standard input")
      ->capture_default_str()
      ->type_name("FILE");
  command->add_flag("--jsonl", options->jsonl,
                    "One JSON object a line in and out: id, text, count, ids");
  command->add_flag("--json", options->json, "Print one JSON object");
  command->add_option("--threads", options->threads, "Threads for --jsonl (0: all cores)")
      ->check(CLI::Range(0, 1024));
  if (verb == Verb::kDecode) {
    command->add_flag("--skip-special", options->skip_special,
                      "Leave special tokens out of the text");
  } else {
    command->add_flag("--special", options->special,
                      "Add the tokens that the model expects around a text (BOS, EOS …)");
    command->add_flag("--literal", options->literal,
                      "Treat special tokens that are written in the text as plain text");
  }
  command->callback([&chosen, options, verb] {
    chosen.action = [options, verb] { return tokens(verb, *options); };
  });
}

}  // namespace

void add_tokens(CLI::App& app, Chosen& chosen) {
  CLI::App* command = add_command(
      app, "tokens", "Count, encode and decode with a model's own tokenizer",
      "  fathom tokens count -t tokenizer.json book.txt\n"
      "  echo 'Hello there' | fathom tokens encode -t model.gguf --special\n"
      "  echo '9906 1070' | fathom tokens decode -t tokenizer.json\n"
      "  fathom tokens count -t o200k_base.tiktoken --jsonl texts.jsonl > counts.jsonl\n");
  command->require_subcommand(1);
  add_verb(*command, chosen, "count", "Print the number of tokens", Verb::kCount);
  add_verb(*command, chosen, "encode", "Print the token ids", Verb::kEncode);
  add_verb(*command, chosen, "decode", "Print the text of token ids", Verb::kDecode);
}

}  // namespace fathom
