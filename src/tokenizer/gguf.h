// The header and metadata of a GGUF model file: chat template, context length, vocabulary, special
// ids. Tensors are not touched.
//
//   TRY(const auto gguf, GgufFile::open("model.gguf"));
//   const auto chat_template = gguf.text("tokenizer.chat_template");  // nullopt where the file has
//   none
//
// The file is untrusted: every length is checked against the bytes that are there. Versions 2 and
// 3, little-endian.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

// Thread-safe: immutable after open(). Movable. Views live as long as the GgufFile they came from
// (or, after parse(), the bytes).
class GgufFile {
 public:
  // Errors: kIo; kInput naming the file, the byte offset or key, and what is wrong there.
  [[nodiscard]] static Result<GgufFile> open(const std::string& path);
  // Reads `bytes` in place; the caller keeps them alive. `name` stands for the file in errors.
  [[nodiscard]] static Result<GgufFile> parse(std::string_view bytes, std::string name);

  GgufFile(GgufFile&&) noexcept;
  GgufFile& operator=(GgufFile&&) noexcept;
  ~GgufFile();

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] std::vector<std::string_view> keys() const;  // in file order
  [[nodiscard]] bool has(std::string_view key) const;

  // Single values. nullopt: the key is missing or of another kind.
  [[nodiscard]] std::optional<std::string_view> text(std::string_view key) const;
  [[nodiscard]] std::optional<int64_t> integer(
      std::string_view key) const;  // every integer type that fits
  [[nodiscard]] std::optional<double> number(
      std::string_view key) const;  // every integer and floating type
  [[nodiscard]] std::optional<bool> boolean(std::string_view key) const;

  // Arrays. Errors: kInput naming the key, where it is missing or of another kind.
  [[nodiscard]] Result<std::vector<std::string_view>> texts(std::string_view key) const;
  [[nodiscard]] Result<std::vector<int64_t>> integers(std::string_view key) const;
  [[nodiscard]] Result<std::vector<double>> numbers(std::string_view key) const;

  // The model's trained window in tokens ("ARCHITECTURE.context_length").
  [[nodiscard]] std::optional<int64_t> context_length() const;

  // Bytes of one value as stored (an array without its header), for hashing; empty where the key is
  // missing.
  [[nodiscard]] std::string_view raw(std::string_view key) const;

 private:
  struct State;
  explicit GgufFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace fathom
