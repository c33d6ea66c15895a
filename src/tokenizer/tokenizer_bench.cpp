// Times one tokenizer on one text in a process of its own, as bench/tokenizers/run.py needs it.
//
//   tokenizer_bench TOKENIZER.json first|first_encode TEXT          the first call in a fresh
//   process tokenizer_bench TOKENIZER.json warm|warm_encode WARM-UP TEXT   new text after a warm-up
//   on other text, the same again tokenizer_bench TOKENIZER.json ids TEXT OUT writes the ids as
//   32-bit numbers
//
// Prints one JSON object; speeds are MB of text per second of this thread's processor time.
#include <fmt/format.h>
#include <time.h>

#include <cstdio>
#include <string>
#include <vector>

#include "io/file.h"
#include "tokenizer/tokenizer.h"

namespace {

using fathom::Tokenizer;

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <typename Body>
double mb_per_second(const std::string& text, Body&& body) {
  const double start = cpu_seconds();
  body();
  return static_cast<double>(text.size()) / 1e6 / (cpu_seconds() - start);
}

std::vector<fathom::TokenId> encode(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<fathom::TokenId> ids;
  tokenizer.encode(text, {}, ids);
  return ids;
}

int run(const std::vector<std::string>& args) {
  if (args.size() < 3) {
    fmt::print(stderr, "usage: tokenizer_bench TOKENIZER.json first|warm|ids TEXT [TEXT|OUT]\n");
    return 2;
  }
  const double load_start = cpu_seconds();
  const auto loaded = fathom::load_tokenizer(args[0]);
  if (!loaded) {
    fmt::print(stderr, "{}\n", loaded.error().message);
    return 3;
  }
  const double load_ms = 1e3 * (cpu_seconds() - load_start);
  const Tokenizer& tokenizer = **loaded;
  const auto text = fathom::read_file(args[2]);
  const auto second =
      args[1].starts_with("warm") && args.size() > 3 ? fathom::read_file(args[3]) : text;
  if (!text || !second) {
    fmt::print(stderr, "cannot read the texts\n");
    return 3;
  }
  size_t tokens = 0;
  if (args[1] == "first") {
    const double count = mb_per_second(*text, [&] { tokens = tokenizer.count(*text, {}); });
    fmt::print("{{\"load_ms\": {:.1f}, \"count\": {:.1f}, \"tokens\": {}}}\n", load_ms, count,
               tokens);
  } else if (args[1] == "first_encode") {
    const double speed = mb_per_second(*text, [&] { tokens = encode(tokenizer, *text).size(); });
    fmt::print("{{\"encode\": {:.1f}, \"tokens\": {}}}\n", speed, tokens);
  } else if (args[1] == "warm") {
    tokens = tokenizer.count(*text, {});
    const double fresh = mb_per_second(*second, [&] { tokens = tokenizer.count(*second, {}); });
    const double again = mb_per_second(*second, [&] { tokens = tokenizer.count(*second, {}); });
    const double encoded =
        mb_per_second(*second, [&] { tokens = encode(tokenizer, *second).size(); });
    fmt::print("{{\"new\": {:.1f}, \"again\": {:.1f}, \"again_encode\": {:.1f}, \"tokens\": {}}}\n",
               fresh, again, encoded, tokens);
  } else if (args[1] == "warm_encode") {
    tokens = encode(tokenizer, *text).size();
    const double fresh =
        mb_per_second(*second, [&] { tokens = encode(tokenizer, *second).size(); });
    fmt::print("{{\"new_encode\": {:.1f}, \"tokens\": {}}}\n", fresh, tokens);
  } else {
    const auto ids = encode(tokenizer, *text);
    std::FILE* out = args.size() > 3 ? std::fopen(args[3].c_str(), "wb") : nullptr;
    if (out == nullptr) return 3;
    std::fwrite(ids.data(), sizeof(ids[0]), ids.size(), out);
    std::fclose(out);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(std::vector<std::string>(argv + 1, argv + argc)); }
