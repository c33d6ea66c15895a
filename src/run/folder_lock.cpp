#include "run/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "io/file.h"
#include "io/json.h"
#include "run/machine.h"

namespace fathom {
namespace {

std::string boot_id() {
  auto text = read_file("/proc/sys/kernel/random/boot_id");
  if (!text) return {};
  while (!text->empty() && text->back() == '\n') text->pop_back();
  return *text;
}

// Clock ticks since boot at which the process started; together with its number it is unique in one
// boot. Empty: no such process.
std::string start_ticks(int64_t process) {
  const auto text = read_file(fmt::format("/proc/{}/stat", process));
  if (!text) return {};
  size_t at = text->rfind(')');  // the name before it may hold anything
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = text->find(' ', at + 1);
  if (at == std::string::npos) return {};
  return text->substr(at + 1, text->find(' ', at + 1) - at - 1);
}

Json owner_json() {
  Json out;
  out["host"] = this_machine().host;
  out["process"] = static_cast<int64_t>(::getpid());
  out["process_start"] = start_ticks(::getpid());
  out["boot"] = boot_id();
  out["since"] = utc_text(system_clock().unix_ms());
  return out;
}

struct Owner {
  std::string host;
  int64_t process = 0;
  std::string process_start;
  std::string boot;
  std::string since;
};

Result<Owner> parse_owner(const std::string& text, const std::string& path) {
  TRY(const Json json, parse_json(text, path));
  TRY(const JsonReader reader, JsonReader::of(json, path));
  Owner owner;
  TRY(owner.host, reader.text("host"));
  TRY(owner.process, reader.integer("process"));
  TRY(owner.process_start, reader.text("process_start"));
  TRY(owner.boot, reader.text("boot"));
  TRY(owner.since, reader.text("since"));
  return owner;
}

tl::unexpected<Error> held(const std::string& path) {
  const auto text = read_file(path);
  const auto owner = text ? parse_owner(*text, path) : tl::unexpected<Error>(Error{});
  if (!owner)
    return fail(ErrorCode::kUsage,
                "{}: another process is working on this run; wait for it or use another folder",
                path);
  return fail(ErrorCode::kUsage,
              "{}: process {} on {} is working on this run since {}; wait for it, stop it or use "
              "another folder",
              path, owner->process, owner->host, owner->since);
}

// Owner of the same machine that is certainly gone.
bool is_stale(const Owner& owner) {
  if (owner.host != this_machine().host) return false;
  if (owner.boot != boot_id()) return true;
  return start_ticks(owner.process) != owner.process_start;
}

bool locks_unsupported(int error) {
  return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == EINVAL;
}

}  // namespace

Result<FolderLock> FolderLock::take(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0)
    return fail(ErrorCode::kIo, "{}: cannot be opened: {}", path, std::strerror(errno));
  FolderLock lock(descriptor, "");
  int locked = ::flock(descriptor, LOCK_EX | LOCK_NB);
  while (locked != 0 && errno == EINTR) locked = ::flock(descriptor, LOCK_EX | LOCK_NB);
  if (locked != 0) {
    const int error = errno;
    if (error == EWOULDBLOCK) return held(path);
    if (locks_unsupported(error)) return take_by_owner_file(path + ".owner");
    return fail(ErrorCode::kIo, "{}: cannot be locked: {}", path, std::strerror(error));
  }
  // Only for the message of a second process; the lock holds without it, on a full disk too.
  const std::string owner = to_json_line(owner_json()) + "\n";
  if (::ftruncate(descriptor, 0) == 0) (void)!::pwrite(descriptor, owner.data(), owner.size(), 0);
  return lock;
}

Result<FolderLock> FolderLock::take_by_owner_file(const std::string& path) {
  // A complete file under a private name, then link(2): it exists whole or not at all, also on NFS.
  const std::string own = fmt::format("{}.{}.{}", path, this_machine().host, ::getpid());
  TRY_VOID(write_file_atomic(own, to_json_line(owner_json()) + "\n"));
  for (int round = 0; round < 2; ++round) {
    if (::link(own.c_str(), path.c_str()) == 0) {
      ::unlink(own.c_str());
      return FolderLock(-1, path);
    }
    if (errno != EEXIST) break;
    const auto text = read_file(path);
    const auto owner = text ? parse_owner(*text, path) : tl::unexpected<Error>(Error{});
    if (!owner || !is_stale(*owner)) {
      ::unlink(own.c_str());
      auto error = held(path).value();
      error.message += "; if that process is gone, delete this file";
      return fail(std::move(error));
    }
    ::unlink(path.c_str());
  }
  const int error = errno;
  ::unlink(own.c_str());
  return fail(ErrorCode::kIo, "{}: cannot be created: {}", path, std::strerror(error));
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      owner_file_(std::exchange(other.owner_file_, {})) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(owner_file_, other.owner_file_);
  return *this;
}

FolderLock::~FolderLock() {
  if (!owner_file_.empty()) ::unlink(owner_file_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace fathom
