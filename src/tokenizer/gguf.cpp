#include "tokenizer/gguf.h"

#include <bit>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "io/file.h"

namespace fathom {
namespace {

static_assert(std::endian::native == std::endian::little,
              "GGUF values are read in place as little-endian");

enum class Type : uint32_t {
  kU8 = 0,
  kI8 = 1,
  kU16 = 2,
  kI16 = 3,
  kU32 = 4,
  kI32 = 5,
  kF32 = 6,
  kBool = 7,
  kText = 8,
  kArray = 9,
  kU64 = 10,
  kI64 = 11,
  kF64 = 12,
};

constexpr uint64_t kMaxKeyBytes = 65535;  // the format's own limit

// Bytes of one value of a fixed-size type; 0 for texts, arrays and unknown types.
size_t fixed_size(uint32_t type) {
  switch (static_cast<Type>(type)) {
    case Type::kU8:
    case Type::kI8:
    case Type::kBool:
      return 1;
    case Type::kU16:
    case Type::kI16:
      return 2;
    case Type::kU32:
    case Type::kI32:
    case Type::kF32:
      return 4;
    case Type::kU64:
    case Type::kI64:
    case Type::kF64:
      return 8;
    case Type::kText:
    case Type::kArray:
      return 0;
  }
  return 0;
}

template <typename T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::optional<int64_t> load_integer(uint32_t type, const char* at) {
  switch (static_cast<Type>(type)) {
    case Type::kU8:
      return load<uint8_t>(at);
    case Type::kI8:
      return load<int8_t>(at);
    case Type::kU16:
      return load<uint16_t>(at);
    case Type::kI16:
      return load<int16_t>(at);
    case Type::kU32:
      return load<uint32_t>(at);
    case Type::kI32:
      return load<int32_t>(at);
    case Type::kI64:
      return load<int64_t>(at);
    case Type::kU64: {
      const auto value = load<uint64_t>(at);
      if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
      return static_cast<int64_t>(value);
    }
    case Type::kF32:
    case Type::kF64:
    case Type::kBool:
    case Type::kText:
    case Type::kArray:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> load_number(uint32_t type, const char* at) {
  if (type == static_cast<uint32_t>(Type::kF32)) return load<float>(at);
  if (type == static_cast<uint32_t>(Type::kF64)) return load<double>(at);
  if (const auto integer = load_integer(type, at)) return static_cast<double>(*integer);
  return std::nullopt;
}

struct Value {
  uint32_t type = 0;  // of the elements, for an array
  bool is_array = false;
  uint64_t count = 1;      // elements
  std::string_view bytes;  // a text without its length; an array without its header
};

// A bounds-checked cursor over the file.
class Cursor {
 public:
  Cursor(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  template <typename T>
  Result<T> read(std::string_view what) {
    if (bytes_.size() - at_ < sizeof(T)) return ends_in(what);
    const T value = load<T>(bytes_.data() + at_);
    at_ += sizeof(T);
    return value;
  }

  Result<std::string_view> take(uint64_t size, std::string_view what) {
    if (bytes_.size() - at_ < size) return ends_in(what);
    const auto taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
  }

  Result<std::string_view> read_text(std::string_view what) {
    TRY(const uint64_t size, read<uint64_t>(what));
    return take(size, what);
  }

  Result<Value> read_value(std::string_view key) {
    TRY(const uint32_t type, read<uint32_t>(key));
    if (type != static_cast<uint32_t>(Type::kArray)) return read_elements(type, 1, false, key);
    TRY(const uint32_t element, read<uint32_t>(key));
    TRY(const uint64_t count, read<uint64_t>(key));
    if (element == static_cast<uint32_t>(Type::kArray)) {
      return fail(ErrorCode::kInput,
                  "{}: key '{}': an array of arrays is not supported; convert the model with a "
                  "current tool",
                  name_, key);
    }
    return read_elements(element, count, true, key);
  }

  [[nodiscard]] size_t at() const { return at_; }

 private:
  Result<Value> read_elements(uint32_t type, uint64_t count, bool is_array, std::string_view key) {
    Value value{.type = type, .is_array = is_array, .count = count, .bytes = {}};
    if (type == static_cast<uint32_t>(Type::kText)) {
      const size_t begin = at_;
      for (uint64_t i = 0; i < count; ++i) {
        TRY(const auto text, read_text(key));
        if (!is_array) value.bytes = text;
      }
      if (is_array) value.bytes = bytes_.substr(begin, at_ - begin);
      return value;
    }
    const size_t size = fixed_size(type);
    if (size == 0) {
      return fail(
          ErrorCode::kInput,
          "{}: key '{}': unknown value type {}; is the file damaged or newer than GGUF version 3?",
          name_, key, type);
    }
    if (count > (bytes_.size() - at_) / size) return ends_in(key);
    TRY(value.bytes, take(count * size, key));
    return value;
  }

  [[nodiscard]] tl::unexpected<Error> ends_in(std::string_view what) const {
    return fail(ErrorCode::kInput,
                "{}: byte {}: the file ends inside '{}'; it is cut off or damaged, fetch it again",
                name_, at_, what);
  }

  std::string_view bytes_;
  const std::string& name_;
  size_t at_ = 0;
};

}  // namespace

struct GgufFile::State {
  std::string name;
  std::optional<MappedFile> file;
  std::vector<std::string_view> keys;
  std::unordered_map<std::string_view, Value> values;

  Result<void> read(std::string_view bytes);
  [[nodiscard]] const Value* find(std::string_view key) const {
    const auto found = values.find(key);
    return found == values.end() ? nullptr : &found->second;
  }
  Result<const Value*> array(std::string_view key) const {
    const Value* value = find(key);
    if (value == nullptr) return fail(ErrorCode::kInput, "{}: key '{}' is missing", name, key);
    if (!value->is_array)
      return fail(ErrorCode::kInput, "{}: key '{}' must be an array", name, key);
    return value;
  }
};

Result<void> GgufFile::State::read(std::string_view bytes) {
  Cursor cursor(bytes, name);
  TRY(const auto magic, cursor.take(4, "magic"));
  if (magic != "GGUF")
    return fail(ErrorCode::kInput, "{}: byte 0: not a GGUF file (it does not begin with 'GGUF')",
                name);
  TRY(const uint32_t version, cursor.read<uint32_t>("version"));
  if (version != 2 && version != 3) {
    return fail(
        ErrorCode::kInput,
        "{}: byte 4: GGUF version {} is not supported (2 and 3 are); convert the model again", name,
        version);
  }
  TRY_VOID(cursor.read<uint64_t>("tensor count"));
  TRY(const uint64_t count, cursor.read<uint64_t>("metadata count"));
  for (uint64_t i = 0; i < count; ++i) {
    TRY(const auto key, cursor.read_text("metadata key"));
    if (key.empty() || key.size() > kMaxKeyBytes) {
      return fail(ErrorCode::kInput, "{}: byte {}: metadata key of {} bytes; the file is damaged",
                  name, cursor.at(), key.size());
    }
    TRY(const Value value, cursor.read_value(key));
    if (!values.emplace(key, value).second)
      return fail(ErrorCode::kInput, "{}: key '{}' occurs twice", name, key);
    keys.push_back(key);
  }
  return {};
}

Result<GgufFile> GgufFile::open(const std::string& path) {
  TRY(MappedFile file, MappedFile::open(path));
  auto state = std::make_unique<State>();
  state->name = path;
  state->file.emplace(std::move(file));
  TRY_VOID(state->read(state->file->bytes()));
  return GgufFile(std::move(state));
}

Result<GgufFile> GgufFile::parse(std::string_view bytes, std::string name) {
  auto state = std::make_unique<State>();
  state->name = std::move(name);
  TRY_VOID(state->read(bytes));
  return GgufFile(std::move(state));
}

GgufFile::GgufFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
GgufFile::GgufFile(GgufFile&&) noexcept = default;
GgufFile& GgufFile::operator=(GgufFile&&) noexcept = default;
GgufFile::~GgufFile() = default;

const std::string& GgufFile::name() const { return state_->name; }
std::vector<std::string_view> GgufFile::keys() const { return state_->keys; }
bool GgufFile::has(std::string_view key) const { return state_->find(key) != nullptr; }

std::optional<std::string_view> GgufFile::text(std::string_view key) const {
  const Value* value = state_->find(key);
  if (value == nullptr || value->is_array || value->type != static_cast<uint32_t>(Type::kText))
    return std::nullopt;
  return value->bytes;
}

std::optional<int64_t> GgufFile::integer(std::string_view key) const {
  const Value* value = state_->find(key);
  if (value == nullptr || value->is_array) return std::nullopt;
  return load_integer(value->type, value->bytes.data());
}

std::optional<double> GgufFile::number(std::string_view key) const {
  const Value* value = state_->find(key);
  if (value == nullptr || value->is_array) return std::nullopt;
  return load_number(value->type, value->bytes.data());
}

std::optional<bool> GgufFile::boolean(std::string_view key) const {
  const Value* value = state_->find(key);
  if (value == nullptr || value->is_array || value->type != static_cast<uint32_t>(Type::kBool))
    return std::nullopt;
  return value->bytes[0] != 0;
}

Result<std::vector<std::string_view>> GgufFile::texts(std::string_view key) const {
  TRY(const Value* value, state_->array(key));
  if (value->type != static_cast<uint32_t>(Type::kText)) {
    return fail(ErrorCode::kInput, "{}: key '{}' must be an array of texts", state_->name, key);
  }
  std::vector<std::string_view> texts;
  texts.reserve(value->count);
  const char* at = value->bytes.data();
  for (uint64_t i = 0; i < value->count; ++i) {
    const auto size = load<uint64_t>(at);
    texts.emplace_back(at + sizeof size, size);
    at += sizeof size + size;
  }
  return texts;
}

Result<std::vector<int64_t>> GgufFile::integers(std::string_view key) const {
  TRY(const Value* value, state_->array(key));
  std::vector<int64_t> integers;
  integers.reserve(value->type == static_cast<uint32_t>(Type::kText) ? 0 : value->count);
  const size_t size = fixed_size(value->type);
  for (uint64_t i = 0; i < value->count; ++i) {
    const auto integer = load_integer(value->type, value->bytes.data() + i * size);
    if (!integer)
      return fail(ErrorCode::kInput, "{}: key '{}' must be an array of integers", state_->name,
                  key);
    integers.push_back(*integer);
  }
  return integers;
}

Result<std::vector<double>> GgufFile::numbers(std::string_view key) const {
  TRY(const Value* value, state_->array(key));
  std::vector<double> numbers;
  numbers.reserve(value->type == static_cast<uint32_t>(Type::kText) ? 0 : value->count);
  const size_t size = fixed_size(value->type);
  for (uint64_t i = 0; i < value->count; ++i) {
    const auto number = load_number(value->type, value->bytes.data() + i * size);
    if (!number)
      return fail(ErrorCode::kInput, "{}: key '{}' must be an array of numbers", state_->name, key);
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<int64_t> GgufFile::context_length() const {
  const auto architecture = text("general.architecture");
  if (!architecture) return std::nullopt;
  return integer(std::string(*architecture) + ".context_length");
}

std::string_view GgufFile::raw(std::string_view key) const {
  const Value* value = state_->find(key);
  return value == nullptr ? std::string_view{} : value->bytes;
}

}  // namespace fathom
