#include "attention/recording.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/half.h"
#include "base/hash.h"
#include "io/file.h"
#include "io/json.h"

namespace fathom {
namespace {

static_assert(std::endian::native == std::endian::little, "the file's order is the memory's");

constexpr std::string_view kMagic = "FATHOMKQ";
constexpr uint32_t kVersion = 1;
constexpr size_t kPreamble = 16;  // magic, version, header's length
constexpr size_t kHash = 32;
constexpr int64_t kMostLayers = 10'000;
constexpr int64_t kMostHeads = 65'536;
constexpr int64_t kMostPositions = int64_t{1} << 24;

template <typename Value>
void put(std::string& bytes, const std::vector<Value>& values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
}

void put_number(std::string& bytes, uint32_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

Json header_of(const AttentionRecording& recording) {
  Json evidence = Json::array();
  for (const TokenSpan& span : recording.evidence) evidence.push_back({span.begin, span.end});
  return {{"sample", recording.sample_id},
          {"layers", recording.layers.size()},
          {"query_heads", recording.shape.query_heads},
          {"kv_heads", recording.shape.kv_heads},
          {"head_size", recording.shape.head_size},
          {"positions", recording.positions()},
          {"first_query", recording.first_query},
          {"context_tokens", recording.context_tokens},
          {"before", recording.logit.before},
          {"after", recording.logit.after},
          {"capped", recording.logit.capped},
          {"evidence", std::move(evidence)},
          {"tokens", recording.tokens}};
}

// What the header says beside the recording's own fields.
struct Sizes {
  int64_t layers = 0;
  int64_t positions = 0;
};

Result<int64_t> ranged(const JsonReader& header, const char* key, int64_t least, int64_t most) {
  TRY(const int64_t value, header.integer(key));
  if (value < least || value > most)
    return fail(ErrorCode::kInput, "{}: '{}' must be from {} to {}, not {}", header.where(), key,
                least, most, value);
  return value;
}

Result<void> read_shape(const JsonReader& header, AttentionRecording& out, Sizes& sizes) {
  TRY(sizes.layers, ranged(header, "layers", 1, kMostLayers));
  TRY(const int64_t kv_heads, ranged(header, "kv_heads", 1, kMostHeads));
  TRY(const int64_t query_heads, ranged(header, "query_heads", kv_heads, kMostHeads));
  TRY(const int64_t head_size, ranged(header, "head_size", 1, kMostHeads));
  if (query_heads % kv_heads != 0)
    return fail(ErrorCode::kInput, "{}: {} query heads cannot share {} kv heads", header.where(),
                query_heads, kv_heads);
  out.shape = {.query_heads = static_cast<int>(query_heads),
               .kv_heads = static_cast<int>(kv_heads),
               .head_size = static_cast<int>(head_size)};
  TRY(sizes.positions, ranged(header, "positions", 1, kMostPositions));
  TRY(out.first_query, ranged(header, "first_query", 0, sizes.positions - 1));
  return {};
}

Result<void> read_logit(const JsonReader& header, LogitRule& out) {
  TRY(const double before, header.number("before"));
  TRY(const double after, header.number("after"));
  TRY(out.capped, header.boolean("capped"));
  out.before = static_cast<float>(before);
  out.after = static_cast<float>(after);
  if (!std::isfinite(out.before) || !std::isfinite(out.after))
    return fail(ErrorCode::kInput, "{}: 'before' and 'after' must be finite", header.where());
  return {};
}

Result<void> read_prompt(const JsonReader& header, int64_t positions, AttentionRecording& out) {
  TRY(const Json* tokens, header.array("tokens"));
  for (const Json& each : *tokens) {
    if (!each.is_number_integer() || each.get<int64_t>() < 0 ||
        each.get<int64_t>() > std::numeric_limits<int32_t>::max())
      return fail(ErrorCode::kInput, "{}: 'tokens' must be token ids", header.where());
    out.tokens.push_back(each.get<int32_t>());
  }
  const auto prompt = static_cast<int64_t>(out.tokens.size());
  if (prompt < 1 || prompt > positions)
    return fail(ErrorCode::kInput, "{}: {} tokens of the prompt, but {} positions", header.where(),
                prompt, positions);
  TRY(out.context_tokens, ranged(header, "context_tokens", 0, prompt));
  TRY(const Json* evidence, header.array("evidence"));
  for (const Json& each : *evidence) {
    const bool pair = each.is_array() && each.size() == 2 && each[0].is_number_unsigned() &&
                      each[1].is_number_unsigned();
    if (!pair || each[0].get<uint64_t>() > each[1].get<uint64_t>() ||
        each[1].get<uint64_t>() > static_cast<uint64_t>(prompt))
      return fail(ErrorCode::kInput, "{}: 'evidence' must be [begin, end] within the prompt",
                  header.where());
    out.evidence.push_back({each[0].get<uint64_t>(), each[1].get<uint64_t>()});
  }
  return {};
}

// Bytes of a layer; no product of what ranged() lets through overflows.
struct LayerSizes {
  int64_t first = 0;
  int64_t keys = 0;
  int64_t queries = 0;
  [[nodiscard]] int64_t all() const { return first + keys + queries; }
};

Result<LayerSizes> layer_sizes(const AttentionRecording& recording, const Sizes& sizes, size_t room,
                               std::string_view where) {
  const int64_t queries = sizes.positions - recording.first_query;
  const int64_t key = int64_t{recording.shape.kv_heads} * recording.shape.head_size * 2;
  const int64_t query = int64_t{recording.shape.query_heads} * recording.shape.head_size * 4;
  const auto bytes = static_cast<int64_t>(room);
  // Each part alone within the file, so that their sum is a small number, too.
  const bool fits = key <= bytes / sizes.positions && query <= bytes / queries;
  const LayerSizes out{.first = queries * 4,
                       .keys = fits ? key * sizes.positions : 0,
                       .queries = fits ? query * queries : 0};
  if (!fits || bytes % sizes.layers != 0 || bytes / sizes.layers != out.all())
    return fail(ErrorCode::kInput, "{}: {} bytes of numbers are not what its header says", where,
                bytes);
  return out;
}

template <typename Value>
std::vector<Value> take(std::string_view& bytes, int64_t size) {
  std::vector<Value> values(static_cast<size_t>(size) / sizeof(Value));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), static_cast<size_t>(size));
  bytes.remove_prefix(static_cast<size_t>(size));
  return values;
}

Result<LayerRecording> read_layer(std::string_view& bytes, const LayerSizes& sizes,
                                  int64_t first_query, const std::string& where) {
  LayerRecording layer;
  layer.first = take<int32_t>(bytes, sizes.first);
  layer.keys = take<uint16_t>(bytes, sizes.keys);
  layer.queries = take<float>(bytes, sizes.queries);
  for (size_t i = 0; i < layer.first.size(); ++i)
    if (layer.first[i] < 0 || layer.first[i] > first_query + static_cast<int64_t>(i))
      return fail(ErrorCode::kInput, "{}: a query sees nothing", where);
  const auto finite = [](float value) { return std::isfinite(value); };
  const auto finite_half = [](uint16_t half) { return (half & 0x7C00U) != 0x7C00U; };
  if (!std::ranges::all_of(layer.queries, finite) || !std::ranges::all_of(layer.keys, finite_half))
    return fail(ErrorCode::kInput, "{}: a number is not finite", where);
  return layer;
}

Result<std::string_view> checked_body(std::string_view bytes, std::string_view where) {
  if (bytes.size() < kPreamble + kHash || !bytes.starts_with(kMagic))
    return fail(ErrorCode::kInput, "{}: not a recording of keys and queries", where);
  const std::string_view body = bytes.substr(0, bytes.size() - kHash);
  if (hash_hex(body) != bytes.substr(body.size()))
    return fail(ErrorCode::kInput, "{}: cut or changed: its hash is another one", where);
  return body;
}

}  // namespace

float LogitRule::of(float product) const {
  return capped ? after * std::tanh(before * product) : after * before * product;
}

int64_t AttentionRecording::positions() const {
  const int64_t size = int64_t{shape.kv_heads} * shape.head_size;
  return layers.empty() || size == 0 ? 0 : static_cast<int64_t>(layers.front().keys.size()) / size;
}

std::string recording_bytes(const AttentionRecording& recording) {
  const std::string header = to_json_line(header_of(recording));
  std::string bytes(kMagic);
  put_number(bytes, kVersion);
  put_number(bytes, static_cast<uint32_t>(header.size()));
  bytes += header;
  for (const LayerRecording& layer : recording.layers) {
    put(bytes, layer.first);
    put(bytes, layer.keys);
    put(bytes, layer.queries);
  }
  return bytes + hash_hex(bytes);
}

Result<AttentionRecording> recording_from_bytes(std::string_view bytes, std::string_view where) {
  TRY(std::string_view body, checked_body(bytes, where));
  uint32_t version = 0;
  uint32_t length = 0;
  std::memcpy(&version, body.data() + kMagic.size(), sizeof version);
  std::memcpy(&length, body.data() + kMagic.size() + sizeof version, sizeof length);
  if (version != kVersion)
    return fail(ErrorCode::kInput, "{}: version {} is not one that this fathom reads", where,
                version);
  body.remove_prefix(kPreamble);
  if (length > body.size())
    return fail(ErrorCode::kInput, "{}: its header is longer than the file", where);
  const std::string place(where);
  TRY(const Json json, parse_json(std::string(body.substr(0, length)), place));
  body.remove_prefix(length);
  TRY(const JsonReader header, JsonReader::of(json, place));
  AttentionRecording out;
  Sizes sizes;
  TRY(out.sample_id, header.text("sample"));
  TRY_VOID(read_shape(header, out, sizes));
  TRY_VOID(read_logit(header, out.logit));
  TRY_VOID(read_prompt(header, sizes.positions, out));
  TRY(const LayerSizes parts, layer_sizes(out, sizes, body.size(), where));
  for (int64_t layer = 0; layer < sizes.layers; ++layer) {
    TRY(out.layers.emplace_back(),
        read_layer(body, parts, out.first_query, fmt::format("{}: layer {}", where, layer)));
  }
  return out;
}

Result<AttentionRecording> read_recording(const std::string& path) {
  TRY(const MappedFile file, MappedFile::open(path));
  return recording_from_bytes(file.bytes(), path);
}

Result<void> write_recording(const std::string& path, const AttentionRecording& recording) {
  return write_file_atomic(path, recording_bytes(recording));
}

std::string recording_name(std::string_view sample_id) {
  constexpr size_t kLongest = 120;
  std::string name(sample_id.substr(0, kLongest));
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.';
    if (!plain) c = '_';
  }
  if (name.starts_with('.')) name.front() = '_';
  return name + "-" + hash_hex(sample_id).substr(0, 8) + ".kq";
}

}  // namespace fathom
