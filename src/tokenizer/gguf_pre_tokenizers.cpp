#include "tokenizer/gguf_pre_tokenizers.h"

#include <array>
#include <string>

#include "tokenizer/published_patterns.h"

namespace fathom {
namespace {

// clang-format off
constexpr std::string_view kPunctuationDefault = R"([\p{P}\$\+<=>\^~\|]+)";
constexpr std::string_view kNumberRun = R"(\p{N}+)";
constexpr std::string_view kDigitThree = R"([0-9][0-9][0-9])";
constexpr std::string_view kNumberThree = R"(\p{N}{1,3})";
constexpr std::string_view kWordsMiniCpm = R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kWordsLlama3 = R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kNewline = "[\r\n]";
constexpr std::string_view kLettersDeepSeek = R"(\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+)";
constexpr std::string_view kPunctuationDeepSeek = R"(\s?[!-/:-~！-／：-～‘-‟　-。]+)";
constexpr std::string_view kSpacesAtEnd = R"(\s+$)";
constexpr std::string_view kHanHangulRun = R"([一-龥ࠀ-一가-퟿]+)";
constexpr std::string_view kLetters = R"(\s?\p{L}+)";
constexpr std::string_view kPunctuation = R"(\s?\p{P}+)";
constexpr std::string_view kNumber = R"(\p{N})";
constexpr std::string_view kCjkRun = R"([一-龥぀-ゟ゠-ヿ]+)";
constexpr std::string_view kWordsDeepSeek = "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kWordsSpark = R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+|[\r\n]|\s+(?!\S)|\s+)";
constexpr std::string_view kScriptRuns = R"([가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥぀-ゟ゠-ヿ]+)";
constexpr std::string_view kWordsO200kMarks = R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kPunctuationFalcon = R"([\p{P}\$\+<=>\^~\|`]+)";
constexpr std::string_view kWordsJais2 = R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1})";
constexpr std::string_view kWordsQwen2 = R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kWordsQwen35 = R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kWordsPoro = R"( ?[^(\s|.,!?…。，、।۔،)]+)";
constexpr std::string_view kWordsTekken = R"([^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))*((?=[\p{L}])([^A-Z]))+|[^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))+((?=[\p{L}])([^A-Z]))*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kWordsExaone = R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+)";
constexpr std::string_view kWordsO200k = R"([^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))*((?=[\p{L}])([^A-Z]))+(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|[^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))+((?=[\p{L}])([^A-Z]))*(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kWordsGranite = R"([^\r\n\p{L}\p{N}]?((?=[\p{L}\p{M}])([^a-z]))*((?=[\p{L}\p{M}])([^A-Z]))+(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|[^\r\n\p{L}\p{N}]?((?=[\p{L}\p{M}])([^a-z]))+((?=[\p{L}\p{M}])([^A-Z]))*(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kWordsBailing = R"('(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)";
constexpr std::string_view kWordsSeed = R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kWordsPlain = R"([^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kLines = R"([^\n]+|[\n]+)";

struct Row {
  std::string_view name;
  std::array<std::string_view, 6> stages;  // "" = none
  bool ignore_merges;
  bool add_bos;
};

constexpr Row kRows[] = {
    {"", {kPunctuationDefault, kGpt2Pattern, kNumberRun, kDigitThree}, false, false},
    {"default", {kPunctuationDefault, kGpt2Pattern, kNumberRun, kDigitThree}, false, false},
    {"minicpm5", {kNumberThree, kWordsMiniCpm}, true, false},
    {"llama3", {kWordsLlama3}, true, true},
    {"llama-v3", {kWordsLlama3}, true, true},
    {"llama-bpe", {kWordsLlama3}, true, true},
    {"falcon3", {kWordsLlama3}, true, true},
    {"falcon-h1", {kWordsLlama3}, true, true},
    {"pixtral", {kWordsLlama3}, true, true},
    {"midm-2.0", {kWordsLlama3}, true, true},
    {"lfm2", {kWordsLlama3}, true, true},
    {"jina-v5-nano", {kWordsLlama3}, true, true},
    {"deepseek-llm", {kNewline, kLettersDeepSeek, kPunctuationDeepSeek, kSpacesAtEnd, kHanHangulRun, kNumberRun}, false, false},
    {"deepseek-coder", {kNewline, kLetters, kPunctuation, kHanHangulRun, kNumber}, false, false},
    {"deepseek-v3", {kNumberThree, kCjkRun, kWordsDeepSeek}, false, false},
    {"hunyuan-dense", {kNumberThree, kCjkRun, kWordsDeepSeek}, false, false},
    {"hy_v4", {kNumberThree, kCjkRun, kWordsDeepSeek}, false, false},
    {"joyai-llm", {kNumberThree, kCjkRun, kWordsDeepSeek}, false, false},
    {"spark2_5", {kNumberThree, kCjkRun, kWordsSpark, kNumber}, false, false},
    {"youtu", {kScriptRuns, kWordsO200kMarks}, true, false},
    {"falcon", {kPunctuationFalcon, kGpt2Pattern, kDigitThree}, false, false},
    {"mpt", {kGpt2Pattern}, false, false},
    {"gpt-2", {kGpt2Pattern}, false, false},
    {"phi-2", {kGpt2Pattern}, false, false},
    {"jina-es", {kGpt2Pattern}, false, false},
    {"jina-de", {kGpt2Pattern}, false, false},
    {"gigachat", {kGpt2Pattern}, false, false},
    {"jina-v2-es", {kGpt2Pattern}, false, false},
    {"jina-v2-de", {kGpt2Pattern}, false, false},
    {"a.x-4.0", {kGpt2Pattern}, false, false},
    {"mellum", {kGpt2Pattern}, false, false},
    {"modern-bert", {kGpt2Pattern}, false, false},
    {"jina-v1-en", {kGpt2Pattern}, false, false},
    {"jina-v2-code", {kGpt2Pattern}, false, false},
    {"roberta-bpe", {kGpt2Pattern}, false, false},
    {"exaone4", {kGpt2Pattern}, false, false},
    {"olmo", {kGpt2Pattern}, false, false},
    {"jais", {kGpt2Pattern}, false, false},
    {"trillion", {kGpt2Pattern}, false, false},
    {"granite-docling", {kGpt2Pattern}, false, false},
    {"starcoder", {kNumber, kGpt2Pattern}, false, false},
    {"refact", {kNumber, kGpt2Pattern}, false, false},
    {"command-r", {kNumber, kGpt2Pattern}, false, false},
    {"smollm", {kNumber, kGpt2Pattern}, false, false},
    {"codeshell", {kNumber, kGpt2Pattern}, false, false},
    {"exaone", {kNumber, kGpt2Pattern}, false, false},
    {"minerva-7b", {kNumber, kGpt2Pattern}, false, false},
    {"mellum2", {kNumber, kGpt2Pattern}, false, false},
    {"jais-2", {kWordsJais2}, false, false},
    {"qwen2", {kWordsQwen2}, false, false},
    {"deepseek-r1-qwen", {kWordsQwen2}, false, false},
    {"kormo", {kWordsQwen2}, false, false},
    {"f2llmv2", {kWordsQwen2}, false, false},
    {"megrez", {kWordsQwen2}, false, false},
    {"stablelm2", {kWordsQwen2}, false, false},
    {"hunyuan", {kWordsQwen2}, false, false},
    {"grok-2", {kWordsQwen2}, false, false},
    {"solar-open", {kWordsQwen2}, false, false},
    {"qwen35", {kWordsQwen35}, false, false},
    {"dbrx", {kWordsLlama3}, false, false},
    {"smaug-bpe", {kWordsLlama3}, false, false},
    {"glm4", {kWordsLlama3}, false, false},
    {"chatglm-bpe", {kWordsLlama3}, false, false},
    {"poro-chat", {kWordsPoro}, false, false},
    {"bloom", {kWordsPoro}, false, false},
    {"gpt3-finnish", {kWordsPoro}, false, false},
    {"viking", {kWordsPoro, kNumber}, false, false},
    {"tekken", {kWordsTekken}, true, true},
    {"exaone-moe", {kWordsExaone}, false, false},
    {"gpt-4o", {kWordsO200k}, false, false},
    {"llama4", {kWordsO200k}, false, false},
    {"kanana2", {kWordsO200k}, false, false},
    {"talkie", {kWordsO200k}, false, false},
    {"minimax-m2", {kWordsO200k}, false, false},
    {"granite-embed-multi-97m", {kWordsGranite}, true, false},
    {"bailingmoe", {kWordsBailing}, false, false},
    {"bailingmoe2", {kWordsBailing}, false, false},
    {"llada-moe", {kWordsBailing}, false, false},
    {"seed-coder", {kWordsSeed}, false, false},
    {"ufakzeka", {kWordsPlain}, false, false},
    {"laguna", {kLines, kWordsQwen2}, false, false},
};
// clang-format on

}  // namespace

std::optional<GgufPreTokenizer> gguf_pre_tokenizer(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name != name) continue;
    GgufPreTokenizer found{
        .stages = {}, .ignore_merges = row.ignore_merges, .add_bos = row.add_bos};
    for (const std::string_view stage : row.stages) {
      if (!stage.empty()) found.stages.push_back({std::string(stage)});
    }
    return found;
  }
  return std::nullopt;
}

}  // namespace fathom
