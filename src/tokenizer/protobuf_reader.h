// Reading protobuf messages field by field, bounds-checked; only what SentencePiece models need.
//
//   ProtobufReader reader(bytes);
//   while (reader.next()) if (reader.field() == 1) use(reader.bytes());
//   if (reader.damaged()) …
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace fathom {

// Single-threaded. Views live as long as the message's bytes.
class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view message) : left_(message), size_(message.size()) {}

  // Moves to the next field; false at the end or where the message is damaged.
  bool next() {
    if (left_.empty() || damaged_) return false;
    uint64_t tag = 0;
    if (!varint(tag)) return false;
    field_ = tag >> 3;
    kind_ = static_cast<int>(tag & 7);
    bytes_ = {};
    number_ = 0;
    switch (kind_) {
      case 0:
        return varint(number_);
      case 1:
        return take(8);
      case 2: {
        uint64_t size = 0;
        return varint(size) && take(size);
      }
      case 5:
        return take(4);
      default:
        return !(damaged_ = true);
    }
  }

  [[nodiscard]] bool damaged() const { return damaged_; }
  [[nodiscard]] size_t offset() const { return size_ - left_.size(); }
  [[nodiscard]] uint64_t field() const { return field_; }
  [[nodiscard]] uint64_t number() const { return number_; }  // of a varint field, else 0
  [[nodiscard]] std::string_view bytes() const {
    return bytes_;
  }                                   // of a text, bytes or message field
  [[nodiscard]] float real() const {  // of a float field, else 0
    float value = 0;
    if (kind_ == 5) std::memcpy(&value, bytes_.data(), sizeof value);
    return value;
  }

 private:
  bool varint(uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64 && !left_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(left_.front());
      left_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return true;
    }
    return !(damaged_ = true);
  }

  bool take(uint64_t size) {
    if (size > left_.size()) return !(damaged_ = true);
    bytes_ = left_.substr(0, size);
    left_.remove_prefix(size);
    return true;
  }

  std::string_view left_;
  std::string_view bytes_;
  size_t size_;
  uint64_t field_ = 0;
  uint64_t number_ = 0;
  int kind_ = 0;
  bool damaged_ = false;
};

}  // namespace fathom
