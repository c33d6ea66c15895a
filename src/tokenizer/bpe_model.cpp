#include "tokenizer/bpe_model.h"

#include <algorithm>
#include <utility>

#include "tokenizer/unicode_classes.h"
#include "tokenizer/whole_tokens.h"

namespace fathom {

namespace {

const uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

// tiktoken's rule as a merge list: every way to cut a token in two tokens merges, at the token's
// own rank.
std::vector<BpeMerge> merges_of_ranks(const std::vector<std::string>& tokens) {
  const TokenTable table(tokens, std::vector<uint8_t>(tokens.size(), 1));
  std::vector<BpeMerge> merges;
  for (size_t id = 0; id < tokens.size(); ++id) {
    const std::string_view token = tokens[id];
    for (size_t cut = 1; cut < token.size(); ++cut) {
      const TokenId left = table.find(token.substr(0, cut));
      if (left == kNoToken) continue;
      const TokenId right = table.find(token.substr(cut));
      if (right != kNoToken) merges.push_back({left, right, static_cast<TokenId>(id)});
    }
  }
  return merges;
}

BpeVocabulary with_merge_list(BpeVocabulary vocabulary) {
  if (vocabulary.merges_by_rank) vocabulary.merges = merges_of_ranks(vocabulary.tokens);
  return vocabulary;
}

}  // namespace

Result<BpeModel> BpeModel::create(BpeVocabulary vocabulary, BpeAlphabet alphabet) {
  if (vocabulary.tokens.size() > MergeTable::kMaxTokens)
    return fail(ErrorCode::kInput, "{} tokens, at most {} are supported", vocabulary.tokens.size(),
                MergeTable::kMaxTokens);
  const size_t size = vocabulary.tokens.size();
  for (size_t i = 0; i < vocabulary.merges.size(); ++i) {
    const BpeMerge& merge = vocabulary.merges[i];
    if (std::max({merge.left, merge.right, merge.result}) >= size)
      return fail(ErrorCode::kInput, "merge {}: an id is not in the vocabulary of {} tokens", i,
                  size);
  }
  if (vocabulary.unknown != kNoToken && vocabulary.unknown >= size)
    return fail(ErrorCode::kInput, "unknown token {} is not in the vocabulary of {} tokens",
                vocabulary.unknown, size);
  if (alphabet == BpeAlphabet::kCharacters)
    for (const TokenId id : vocabulary.byte_tokens)
      if (id != kNoToken && id >= size)
        return fail(ErrorCode::kInput, "byte token {} is not in the vocabulary of {} tokens", id,
                    size);
  vocabulary = with_merge_list(std::move(vocabulary));
  if (vocabulary.merges.size() > MergeTable::kMaxMerges)
    return fail(ErrorCode::kInput, "{} merges, at most {} are supported", vocabulary.merges.size(),
                MergeTable::kMaxMerges);
  return BpeModel(std::move(vocabulary), alphabet);
}

BpeModel::BpeModel(BpeVocabulary vocabulary, BpeAlphabet alphabet)
    : vocabulary_(std::move(vocabulary)),
      alphabet_(alphabet),
      merges_(vocabulary_.merges, vocabulary_.merges_by_rank) {
  index_alphabet();
  index_whole_words();
}

void BpeModel::index_alphabet() {
  const std::vector<std::string>& tokens = vocabulary_.tokens;
  token_bytes_.resize(tokens.size());
  byte_ids_.fill(kNoToken);
  if (alphabet_ == BpeAlphabet::kCharacters) character_ids_.assign(0x110000, kNoToken);
  for (size_t id = 0; id < tokens.size(); ++id) {
    const std::string& token = tokens[id];
    token_bytes_[id] = static_cast<uint32_t>(token.size());
    if (alphabet_ == BpeAlphabet::kBytes) {
      if (token.size() == 1) byte_ids_[static_cast<uint8_t>(token[0])] = static_cast<TokenId>(id);
    } else if (!token.empty()) {
      const uint8_t* p = bytes_of(token);
      const CodePoint point = decode_code_point(p, p + token.size());
      const bool valid = point.bytes > 1 || p[0] < 0x80;
      if (valid && point.bytes == token.size())
        character_ids_[point.value] = static_cast<TokenId>(id);
    }
  }
  if (alphabet_ == BpeAlphabet::kCharacters)
    for (const TokenId id : vocabulary_.byte_tokens)
      if (id != kNoToken) token_bytes_[id] = 1;
  if (vocabulary_.unknown != kNoToken) token_bytes_[vocabulary_.unknown] = kVaries;
}

// A token can answer for a whole word at once if merging the word would end in it.
void BpeModel::index_whole_words() {
  const std::vector<std::string>& tokens = vocabulary_.tokens;
  if (vocabulary_.ignore_merges && alphabet_ == BpeAlphabet::kBytes) {
    whole_words_ = TokenTable(tokens, std::vector<uint8_t>(tokens.size(), 1));
    return;
  }
  std::vector<uint8_t> atoms(tokens.size(), 0);
  for (const TokenId id : byte_ids_)
    if (id != kNoToken) atoms[id] = 1;
  for (const TokenId id : character_ids_)
    if (id != kNoToken) atoms[id] = 1;
  whole_words_ = TokenTable(tokens, sure_tokens(vocabulary_, merges_, atoms));
}

void BpeModel::encode_word(std::string_view word, Symbols& symbols) const {
  if (const TokenId whole = whole_words_.find(word); whole != kNoToken) {
    symbols.clear();
    symbols.add(whole, static_cast<uint32_t>(word.size()));
    return;
  }
  start_symbols(word, symbols);
  merge_symbols(merges_, symbols);
}

void BpeModel::start_symbols(std::string_view word, Symbols& symbols) const {
  symbols.clear();
  alphabet_ == BpeAlphabet::kBytes ? start_from_bytes(word, symbols)
                                   : start_from_characters(word, symbols);
}

void BpeModel::start_from_bytes(std::string_view word, Symbols& symbols) const {
  bool after_unknown = false;
  for (size_t i = 0; i < word.size(); ++i) {
    const TokenId id = byte_ids_[static_cast<uint8_t>(word[i])];
    const auto end = static_cast<uint32_t>(i + 1);
    if (id != kNoToken) {
      symbols.add(id, end);
      after_unknown = false;
    } else if (vocabulary_.unknown != kNoToken) {
      if (after_unknown && vocabulary_.fuse_unknown)
        symbols.ends.back() = end;
      else
        symbols.add(vocabulary_.unknown, end);
      after_unknown = true;
    }
  }
}

// As the reference does it, the order included: an unknown token is held back until the next known
// character, so byte tokens overtake it.
void BpeModel::start_from_characters(std::string_view word, Symbols& symbols) const {
  const uint8_t* begin = bytes_of(word);
  const uint8_t* end = begin + word.size();
  uint32_t unknown_end = 0;  // of the unknown token held back; 0: none
  const auto release = [&] {
    if (unknown_end != 0) symbols.add(vocabulary_.unknown, unknown_end);
    unknown_end = 0;
  };
  for (const uint8_t* p = begin; p < end;) {
    const CodePoint point = decode_code_point(p, end);
    const auto offset = static_cast<uint32_t>(p - begin);
    const bool valid = point.bytes > 1 || *p < 0x80;
    if (const TokenId id = valid ? character_ids_[point.value] : kNoToken; id != kNoToken) {
      release();
      symbols.add(id, offset + point.bytes);
    } else if (std::all_of(p, p + point.bytes,
                           [&](uint8_t b) { return vocabulary_.byte_tokens[b] != kNoToken; })) {
      for (uint32_t i = 0; i < point.bytes; ++i)
        symbols.add(vocabulary_.byte_tokens[p[i]], offset + i + 1);
    } else if (vocabulary_.unknown != kNoToken) {
      if (!vocabulary_.fuse_unknown) release();
      unknown_end = offset + point.bytes;
    }
    p += point.bytes;
  }
  release();
}

}  // namespace fathom
