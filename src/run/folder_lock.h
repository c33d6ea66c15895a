// One process at a time writes a journal. The lock is the kernel's (flock), so it vanishes with its
// process and works between machines on network file systems that pass locks on (NFS does). Where
// the file system has no locks, an owner file stands in: it names machine, process and boot, so
// that one left by a killed process of this machine is recognised; one of another machine is
// refused by name.
#pragma once

#include <string>

#include "base/result.h"

namespace fathom {

// Movable; held until destroyed.
class FolderLock {
 public:
  // `path` is the lock file, "FOLDER/attempts.jsonl.lock". Errors: kUsage naming the holder where
  // another process holds it; kIo.
  [[nodiscard]] static Result<FolderLock> take(const std::string& path);
  // As take() on a file system without locks (also for tests).
  [[nodiscard]] static Result<FolderLock> take_by_owner_file(const std::string& path);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  FolderLock(int descriptor, std::string owner_file)
      : descriptor_(descriptor), owner_file_(std::move(owner_file)) {}

  int descriptor_ = -1;
  std::string owner_file_;  // to remove at the end; empty: the kernel's lock is held
};

}  // namespace fathom
