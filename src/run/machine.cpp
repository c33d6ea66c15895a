#include "run/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

#include "base/threads.h"

namespace fathom {
namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name") && !line.starts_with("Model")) continue;
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return {};
}

}  // namespace

Machine this_machine() {
  Machine out;
  utsname names{};
  if (::uname(&names) == 0) {
    out.host = names.nodename;
    out.system = std::string(names.sysname) + " " + names.release + " " + names.machine;
  }
  out.cpu = cpu_model();
  out.cores = available_cores();
  out.memory_bytes = static_cast<int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGE_SIZE);
  return out;
}

}  // namespace fathom
