// Server-sent events from a byte stream, however the network cuts it (WHATWG HTML, section
// "Server-sent events"): lines end in LF, CR or CRLF; `data` lines of one event are joined by LF;
// comments, event names, ids and retry times are skipped, for no model server uses them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace fathom {

// Thread-compatible. Memory: one event, at most `most_bytes`.
class SseParser {
 public:
  explicit SseParser(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Calls `event` with the data of each event that `bytes` completes; the view lives during the
  // call. Returns false when an event or a line grows beyond the limit: nothing more can be read
  // then. O(n) over all calls together.
  [[nodiscard]] bool feed(std::string_view bytes,
                          const std::function<void(std::string_view)>& event);

  // Whether an event has begun that no blank line has ended.
  [[nodiscard]] bool in_event() const { return !line_.empty() || has_data_; }

 private:
  void end_line(std::string_view line, const std::function<void(std::string_view)>& event);

  size_t most_bytes_;
  std::string line_;  // the unfinished line
  std::string data_;  // of the unfinished event
  bool has_data_ = false;
  bool after_cr_ = false;  // an LF that comes now belongs to the CR before it
  bool at_start_ = true;   // a byte order mark may still come
  bool overflow_ = false;
};

}  // namespace fathom
