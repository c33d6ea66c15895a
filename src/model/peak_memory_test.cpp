// R12: peak memory is that since the mark, and odd system texts are no number.
#include "model/peak_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <optional>

namespace fathom {
namespace {

TEST(PeakMemory, ReadsTheSystemsText) {
  struct Row {
    const char* text;
    std::optional<int64_t> bytes;
  };
  const Row rows[] = {{"Name:\tfathom\nVmHWM:\t    1234 kB\nVmRSS:\t 10 kB\n", 1234 * 1024},
                      {"VmHWM:\t0 kB", 0},
                      {"VmRSS:\t10 kB\n", std::nullopt},
                      {"VmHWM:", std::nullopt},
                      {"VmHWM:\tmuch kB", std::nullopt},
                      {"VmHWM:\t-5 kB", std::nullopt},
                      {"VmHWM:\t99999999999999999999 kB", std::nullopt},
                      {"", std::nullopt}};
  for (const Row& row : rows) EXPECT_EQ(parse_peak_memory(row.text), row.bytes) << row.text;
}

TEST(PeakMemory, CountsFromTheMark) {
  constexpr size_t kBlock = size_t{256} << 20;
  if (peak_memory_bytes() < 0) GTEST_SKIP() << "no VmHWM on this system";
  // Mapped, not allocated: an allocator may keep what is given back.
  void* block = mmap(nullptr, kBlock, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  std::memset(block, 1, kBlock);
  const int64_t with_block = peak_memory_bytes();
  EXPECT_GE(with_block, static_cast<int64_t>(kBlock));
  munmap(block, kBlock);
  reset_peak_memory();
  EXPECT_LT(peak_memory_bytes(), with_block - static_cast<int64_t>(kBlock) / 2);
}

}  // namespace
}  // namespace fathom
