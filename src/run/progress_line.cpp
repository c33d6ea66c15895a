#include "run/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace fathom {
namespace {

constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kPlain = "\x1b[0m";

// "950", "12.3K", "4.1M"
std::string short_number(double number) {
  if (number < 1000) return fmt::format("{:.0f}", number);
  if (number < 1e6) return fmt::format("{:.1f}K", number / 1e3);
  if (number < 1e9) return fmt::format("{:.1f}M", number / 1e6);
  return fmt::format("{:.1f}G", number / 1e9);
}

std::string rate_text(double per_minute) {
  if (per_minute <= 0) return "";
  if (per_minute >= 600) return fmt::format("{}/s", short_number(per_minute / 60));
  return fmt::format("{}/min", per_minute < 10 ? fmt::format("{:.1f}", per_minute)
                                               : fmt::format("{:.0f}", per_minute));
}

// Full, half-step and empty cells; every one is one column wide.
std::string bar(int64_t done, int64_t total, int width) {
  static constexpr std::string_view kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0;
  const int eighths = std::clamp(static_cast<int>(share * width * 8), 0, width * 8);
  std::string out;
  for (int i = 0; i < eighths / 8; ++i) out += "█";
  int used = eighths / 8;
  if (eighths % 8 != 0) {
    out += kEighths[eighths % 8];
    ++used;
  }
  out.append(static_cast<size_t>(width - used), ' ');
  return out;
}

// One line put together from pieces until the width is used up; colours take no columns.
class Line {
 public:
  explicit Line(const ProgressStyle& style) : style_(style) {}
  // Leaves the piece out where it does not fit, and everything after it.
  void add(std::string_view text, std::string_view colour = {}) {
    const auto columns = static_cast<int>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
    full_ = full_ || columns_ + columns > style_.width;
    if (full_) return;
    columns_ += columns;
    const bool paint = style_.colour && !colour.empty();
    if (paint) out_ += colour;
    out_ += text;
    if (paint) out_ += kPlain;
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  const ProgressStyle& style_;
  std::string out_;
  int columns_ = 0;
  bool full_ = false;
};

std::string length_line(const LengthProgress& row, const ProgressStyle& style) {
  Line line(style);
  const bool over = row.done == row.total;
  line.add(row.length == 0 ? " controls " : fmt::format("{:>9} ", row.length));
  line.add(fmt::format("{:>11}", fmt::format("{}/{}", row.done, row.total)), over ? kGreen : "");
  const int bar_width = std::clamp(style.width - 60, 0, 30);
  if (bar_width >= 6) line.add(" " + bar(row.done, row.total, bar_width), over ? kGreen : "");
  line.add(fmt::format(" {:>10}", rate_text(row.per_minute)));
  const std::string left = over || row.eta_s < 0 ? "" : duration_text(row.eta_s) + " left";
  line.add(fmt::format(" {:>15}", left), kDim);
  if (row.failed > 0) line.add(fmt::format("  {} not complete", row.failed), kRed);
  return line.take();
}

std::string sum_line(const Progress& progress, const ProgressStyle& style) {
  Line line(style);
  line.add(fmt::format("{}/{}", progress.done, progress.total));
  if (progress.stopping)
    line.add(" · stopping", kRed);
  else if (progress.done < progress.total && progress.eta_s >= 0)
    line.add(fmt::format(" · {} left", duration_text(progress.eta_s)));
  line.add(fmt::format(" · {} prompt tokens",
                       short_number(static_cast<double>(progress.prompt_tokens))));
  if (progress.prompt_tokens_per_s > 0)
    line.add(fmt::format(", {}/s", short_number(progress.prompt_tokens_per_s)));
  line.add(fmt::format(" · {} running", progress.running));
  if (progress.waiting_retry > 0)
    line.add(fmt::format(" · {} to be sent again", progress.waiting_retry));
  if (progress.failed > 0) line.add(fmt::format(" · {} not complete", progress.failed), kRed);
  if (!progress.waiting_for.empty()) line.add(" · waiting for " + progress.waiting_for, kDim);
  return line.take();
}

// Where not all lengths fit: those in work and their neighbours.
std::pair<size_t, size_t> visible_lengths(const Progress& progress, size_t most) {
  const size_t count = progress.lengths.size();
  if (count <= most) return {0, count};
  size_t first = 0;
  while (first < count && progress.lengths[first].done == progress.lengths[first].total) ++first;
  first = first > 0 ? first - 1 : 0;
  first = std::min(first, count - most);
  return {first, first + most};
}

int64_t finished_lengths(const Progress& progress) {
  return std::count_if(progress.lengths.begin(), progress.lengths.end(),
                       [](const LengthProgress& row) { return row.done == row.total; });
}

}  // namespace

ProgressStyle progress_style(int descriptor) {
  ProgressStyle out;
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  out.live = ::isatty(descriptor) == 1 && !dumb;
  const char* no_colour = std::getenv("NO_COLOR");
  out.colour = out.live && (no_colour == nullptr || *no_colour == '\0');
  winsize size{};
  if (out.live && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0) {
    if (size.ws_col > 0) out.width = size.ws_col;
    if (size.ws_row > 0) out.height = size.ws_row;
  }
  return out;
}

std::string live_text(const Progress& progress, const ProgressStyle& style) {
  const auto most = static_cast<size_t>(std::clamp(style.height - 3, 1, 16));
  const auto [first, last] = visible_lengths(progress, most);
  std::string out;
  for (size_t i = first; i < last; ++i) out += length_line(progress.lengths[i], style) + "\n";
  return out + sum_line(progress, style) + "\n";
}

std::string plain_text(const Progress& progress) {
  std::string out = fmt::format("{}/{} done", progress.done, progress.total);
  if (progress.stopping) out += ", stopping";
  for (const LengthProgress& row : progress.lengths)
    if (row.done > row.before && row.done < row.total)
      out += fmt::format(
          ", {} {}/{}{}", row.length == 0 ? "controls" : fmt::format("{} tokens", row.length),
          row.done, row.total, row.per_minute > 0 ? " at " + rate_text(row.per_minute) : "");
  if (progress.prompt_tokens_per_s > 0)
    out += fmt::format(", {} prompt tokens/s", short_number(progress.prompt_tokens_per_s));
  if (progress.failed > 0) out += fmt::format(", {} not complete", progress.failed);
  if (progress.done < progress.total && progress.eta_s >= 0)
    out += fmt::format(", {} left", duration_text(progress.eta_s));
  if (!progress.waiting_for.empty()) out += ", waiting for " + progress.waiting_for;
  return out + "\n";
}

ProgressPainter::ProgressPainter(ProgressStyle style, std::function<void(const std::string&)> write)
    : style_(style), write_(std::move(write)) {}

void ProgressPainter::update(const Progress& progress, int64_t now_ms) {
  const int64_t lengths = finished_lengths(progress);
  const bool news = finished_lengths_ >= 0 && lengths != finished_lengths_;
  const bool first = finished_lengths_ < 0;
  if (first && !style_.live) next_ms_ = now_ms + style_.plain_every_ms;
  finished_lengths_ = lengths;
  if (now_ms < next_ms_ && !news) return;
  next_ms_ = now_ms + (style_.live ? style_.live_every_ms : style_.plain_every_ms);
  if (!style_.live) {
    last_line_ = plain_text(progress);
    return write_(last_line_);
  }
  const std::string text = live_text(progress, style_);
  std::string out = painted_lines_ > 0 ? fmt::format("\x1b[{}A\r\x1b[J", painted_lines_) : "";
  painted_lines_ = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  write_(out + text);
}

void ProgressPainter::finish(const Progress& progress) {
  if (style_.live || (finished_lengths_ >= 0 && plain_text(progress) != last_line_)) {
    next_ms_ = 0;
    update(progress, 0);
  }
  painted_lines_ = 0;
}

void ProgressPainter::clear() {
  if (painted_lines_ > 0) write_(fmt::format("\x1b[{}A\r\x1b[J", painted_lines_));
  painted_lines_ = 0;
  next_ms_ = 0;
}

}  // namespace fathom
