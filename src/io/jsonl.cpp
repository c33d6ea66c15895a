#include "io/jsonl.h"

#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

namespace fathom {
namespace {

constexpr int kCompressionLevel = 3;

bool is_compressed(const std::string& path) { return path.ends_with(".zst"); }

using FilePointer = std::unique_ptr<FILE, int (*)(FILE*)>;
using Decompressor = std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)>;
using Compressor = std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)>;

// Gives the bytes of a file piece by piece, decompressed where its name says so.
class ByteReader {
 public:
  static Result<ByteReader> open(const std::string& path) {
    FilePointer file(std::fopen(path.c_str(), "rbe"), std::fclose);
    if (!file) return fail(ErrorCode::kIo, "{}: cannot be opened: {}", path, std::strerror(errno));
    Decompressor decompressor(is_compressed(path) ? ZSTD_createDCtx() : nullptr, ZSTD_freeDCtx);
    return ByteReader(path, std::move(file), std::move(decompressor));
  }

  // The next piece; empty at the end. Lives until the next call.
  Result<std::string_view> next() {
    if (!decompressor_) {
      TRY(const size_t got, fill());
      return std::string_view(raw_.data(), got);
    }
    for (;;) {
      if (input_.pos == input_.size && !more_output_) {
        TRY(const size_t got, fill());
        if (got == 0) {
          if (inside_frame_)
            return fail(ErrorCode::kInput, "{}: the compressed file ends too early", path_);
          return std::string_view();
        }
        input_ = {raw_.data(), got, 0};
      }
      ZSTD_outBuffer output{out_.data(), out_.size(), 0};
      const size_t hint = ZSTD_decompressStream(decompressor_.get(), &output, &input_);
      if (ZSTD_isError(hint) != 0)
        return fail(ErrorCode::kInput, "{}: not readable as zstd: {}", path_,
                    ZSTD_getErrorName(hint));
      inside_frame_ = hint != 0;
      more_output_ = output.pos == output.size;
      if (output.pos > 0) return std::string_view(out_.data(), output.pos);
    }
  }

 private:
  ByteReader(std::string path, FilePointer file, Decompressor decompressor)
      : path_(std::move(path)),
        file_(std::move(file)),
        decompressor_(std::move(decompressor)),
        raw_(1 << 18),
        out_(decompressor_ ? 1 << 18 : 0) {}

  Result<size_t> fill() {
    const size_t got = std::fread(raw_.data(), 1, raw_.size(), file_.get());
    if (got == 0 && std::ferror(file_.get()) != 0)
      return fail(ErrorCode::kIo, "{}: cannot be read: {}", path_, std::strerror(errno));
    return got;
  }

  std::string path_;
  FilePointer file_;
  Decompressor decompressor_;
  std::vector<char> raw_;
  std::vector<char> out_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  bool inside_frame_ = false;
  bool more_output_ = false;
};

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

struct LineReader::State {
  explicit State(ByteReader opened) : reader(std::move(opened)) {}
  ByteReader reader;
  std::string_view piece;  // of the reader, not yet given out
  std::string pending;     // a line that runs over the end of a piece
  bool pending_given = false;
  bool ended = false;
  size_t number = 0;
};

LineReader::LineReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;
LineReader::~LineReader() = default;

size_t LineReader::number() const { return state_->number; }

Result<LineReader> LineReader::open(const std::string& path) {
  TRY(ByteReader reader, ByteReader::open(path));
  return LineReader(std::make_unique<State>(std::move(reader)));
}

Result<bool> LineReader::next(std::string_view& line) {
  State& state = *state_;
  if (state.pending_given) state.pending.clear();
  state.pending_given = false;
  for (;;) {
    if (state.piece.empty() && !state.ended) {
      TRY(state.piece, state.reader.next());
      state.ended = state.piece.empty();
    }
    if (state.ended && state.pending.empty()) return false;
    const size_t end = state.piece.find('\n');
    if (end == std::string_view::npos && !state.ended) {
      state.pending.append(state.piece);
      state.piece = {};
      continue;
    }
    line = state.piece.substr(0, end);
    state.piece.remove_prefix(state.ended ? 0 : end + 1);
    if (!state.pending.empty()) {
      state.pending.append(line);
      line = state.pending;
      state.pending_given = true;
    }
    ++state.number;
    if (!is_blank(line)) return true;
    if (state.pending_given) state.pending.clear();
    state.pending_given = false;
  }
}

Result<void> for_each_line(const std::string& path,
                           const std::function<Result<void>(size_t, std::string_view)>& line) {
  TRY(LineReader reader, LineReader::open(path));
  std::string_view text;
  for (;;) {
    TRY(const bool more, reader.next(text));
    if (!more) return {};
    TRY_VOID(line(reader.number(), text));
  }
}

struct LineWriter::State {
  std::string path;
  std::string temporary;
  FilePointer file{nullptr, std::fclose};
  Compressor compressor{nullptr, ZSTD_freeCCtx};
  std::vector<char> out;

  ~State() {
    if (!temporary.empty()) ::unlink(temporary.c_str());
  }

  Result<void> put(const char* bytes, size_t size) {
    if (std::fwrite(bytes, 1, size, file.get()) != size)
      return fail(ErrorCode::kIo, "{}: cannot be written: {}", temporary, std::strerror(errno));
    return {};
  }

  Result<void> compress(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    for (;;) {
      ZSTD_outBuffer output{out.data(), out.size(), 0};
      const size_t left = ZSTD_compressStream2(compressor.get(), &output, &input, directive);
      if (ZSTD_isError(left) != 0)
        return fail(ErrorCode::kInternal, "{}: zstd: {}", temporary, ZSTD_getErrorName(left));
      TRY_VOID(put(out.data(), output.pos));
      if (directive == ZSTD_e_end ? left == 0 : input.pos == input.size) return {};
    }
  }
};

LineWriter::LineWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
LineWriter::LineWriter(LineWriter&&) noexcept = default;
LineWriter& LineWriter::operator=(LineWriter&&) noexcept = default;
LineWriter::~LineWriter() = default;

Result<LineWriter> LineWriter::create(const std::string& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  state->file.reset(std::fopen(temporary.c_str(), "wbe"));
  if (!state->file)
    return fail(ErrorCode::kIo, "{}: cannot be created: {}", temporary, std::strerror(errno));
  state->temporary = temporary;
  if (is_compressed(path)) {
    state->compressor.reset(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(state->compressor.get(), ZSTD_c_compressionLevel, kCompressionLevel);
    ZSTD_CCtx_setParameter(state->compressor.get(), ZSTD_c_checksumFlag, 1);
    state->out.resize(ZSTD_CStreamOutSize());
  }
  return LineWriter(std::move(state));
}

Result<void> LineWriter::write(std::string_view line) {
  if (state_->compressor) {
    TRY_VOID(state_->compress(line, ZSTD_e_continue));
    return state_->compress("\n", ZSTD_e_continue);
  }
  TRY_VOID(state_->put(line.data(), line.size()));
  return state_->put("\n", 1);
}

Result<void> LineWriter::finish() {
  if (state_->compressor) TRY_VOID(state_->compress("", ZSTD_e_end));
  if (std::fflush(state_->file.get()) != 0 || ::fsync(::fileno(state_->file.get())) != 0)
    return fail(ErrorCode::kIo, "{}: cannot be written: {}", state_->temporary,
                std::strerror(errno));
  state_->file.reset();
  if (::rename(state_->temporary.c_str(), state_->path.c_str()) != 0)
    return fail(ErrorCode::kIo, "{}: cannot be replaced: {}", state_->path, std::strerror(errno));
  state_->temporary.clear();
  return {};
}

}  // namespace fathom
