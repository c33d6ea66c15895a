#include "tokenizer/mapped_text.h"

#include <cstddef>

namespace fathom {

void MappedText::assign(std::string_view text, uint64_t begin, bool tracked) {
  text_.assign(text);
  origins_.clear();
  begin_ = begin;
  tracked_ = tracked;
}

void MappedText::assign_part(const MappedText& other, size_t begin, size_t end) {
  text_.assign(other.text_, begin, end - begin);
  tracked_ = other.tracked_;
  begin_ = other.begin_ + begin;
  origins_.clear();
  if (!other.origins_.empty()) {
    origins_.assign(other.origins_.begin() + static_cast<ptrdiff_t>(begin),
                    other.origins_.begin() + static_cast<ptrdiff_t>(end));
  }
}

ByteSpan MappedText::byte_origin(size_t at) const {
  if (origins_.empty()) return {begin_ + at, begin_ + at + 1};
  return origins_[at];
}

ByteSpan MappedText::origin(size_t begin, size_t end) const {
  if (begin < end) return {byte_origin(begin).begin, byte_origin(end - 1).end};
  if (begin < text_.size()) return {byte_origin(begin).begin, byte_origin(begin).begin};
  if (text_.empty()) return {begin_, begin_};
  const uint64_t last = byte_origin(text_.size() - 1).end;
  return {last, last};
}

void MappedText::keep_until(size_t end) {
  next_text_.append(text_, kept_, end - kept_);
  if (tracked_) {
    for (size_t i = kept_; i < end; ++i) next_origins_.push_back(byte_origin(i));
  }
  kept_ = end;
}

void MappedText::replace(size_t begin, size_t end, std::string_view bytes) {
  if (!changed_) {
    changed_ = true;
    next_text_.clear();
    next_text_.reserve(text_.size() + text_.size() / 4 + bytes.size());
    next_origins_.clear();
  }
  keep_until(begin);
  next_text_ += bytes;
  if (tracked_) next_origins_.insert(next_origins_.end(), bytes.size(), origin(begin, end));
  kept_ = end;
}

void MappedText::finish() {
  if (changed_) {
    keep_until(text_.size());
    text_.swap(next_text_);
    origins_.swap(next_origins_);
  }
  next_text_.clear();
  changed_ = false;
  kept_ = 0;
}

}  // namespace fathom
