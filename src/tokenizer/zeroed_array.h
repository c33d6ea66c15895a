// A large array of zero bytes for hash tables that are read at random: huge pages where the system
// gives them, and no time spent on writing the zeros.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace fathom {

// T: a type for which all-zero bytes are a valid value. Fixed size; movable.
template <typename T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(size_t size) : size_(size) {
    if (bytes() == 0) return;
    if (is_large()) {
      void* memory =
          mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) throw std::bad_alloc();
      madvise(memory, bytes(), MADV_HUGEPAGE);
      data_ = static_cast<T*>(memory);
    } else {
      data_ = static_cast<T*>(std::calloc(size, sizeof(T)));
      if (data_ == nullptr) throw std::bad_alloc();
    }
  }
  ZeroedArray(ZeroedArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  ZeroedArray& operator=(ZeroedArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~ZeroedArray() {
    if (data_ == nullptr) return;
    if (is_large())
      munmap(data_, bytes());
    else
      std::free(data_);
  }

  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  [[nodiscard]] size_t size() const { return size_; }

 private:
  static constexpr size_t kLarge = size_t{1} << 20;

  [[nodiscard]] size_t bytes() const { return size_ * sizeof(T); }
  [[nodiscard]] bool is_large() const { return bytes() >= kLarge; }

  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace fathom
