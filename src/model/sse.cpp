#include "model/sse.h"

namespace fathom {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kData = "data";

}  // namespace

void SseParser::end_line(std::string_view line,
                         const std::function<void(std::string_view)>& event) {
  if (at_start_ && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  at_start_ = false;
  if (line.empty()) {
    if (has_data_) event(data_);
    data_.clear();
    has_data_ = false;
    return;
  }
  const std::string_view name = line.substr(0, line.find(':'));
  if (name != kData) return;
  std::string_view value = line.substr(name.size());
  if (!value.empty()) value.remove_prefix(1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (has_data_) data_ += '\n';
  has_data_ = true;
  data_ += value;
  if (data_.size() > most_bytes_) overflow_ = true;
}

bool SseParser::feed(std::string_view bytes, const std::function<void(std::string_view)>& event) {
  while (!overflow_ && !bytes.empty()) {
    if (after_cr_) {
      after_cr_ = false;
      if (bytes.front() == '\n') {
        bytes.remove_prefix(1);
        continue;
      }
    }
    const size_t end = bytes.find_first_of("\r\n");
    const std::string_view part = bytes.substr(0, end);
    if (line_.size() + part.size() > most_bytes_) {
      overflow_ = true;
      break;
    }
    if (end == std::string_view::npos) {
      line_ += part;
      break;
    }
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    if (line_.empty()) {
      end_line(part, event);
    } else {
      line_ += part;
      end_line(line_, event);
      line_.clear();
    }
  }
  return !overflow_;
}

}  // namespace fathom
