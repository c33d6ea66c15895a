#include "task/sample.h"

#include <cstring>
#include <string_view>

#include "base/hash.h"

namespace fathom {
namespace {

// Length-prefixed fields, so that no two different samples give the same bytes.
class FieldBytes {
 public:
  void text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
  }
  void number(uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xFF);
  }
  void real(double value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    number(bits);
  }
  void span(ByteSpan value) {
    number(value.begin);
    number(value.end);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

void add_evidence(FieldBytes& fields, const Evidence& evidence) {
  fields.text(evidence.role);
  fields.number(static_cast<uint64_t>(evidence.order));
  fields.number(evidence.distractor ? 1 : 0);
  fields.span(evidence.bytes);
  fields.number(evidence.tokens.begin);
  fields.number(evidence.tokens.end);
  fields.span(evidence.answer_bytes);
  fields.real(evidence.depth);
}

}  // namespace

const char* to_text(MessageRole role) {
  switch (role) {
    case MessageRole::kSystem:
      return "system";
    case MessageRole::kUser:
      return "user";
    case MessageRole::kAssistant:
      return "assistant";
  }
  return "";
}

std::string Sample::hash() const {
  FieldBytes fields;
  fields.text(id);
  fields.text(task);
  fields.text(cell);
  fields.text(parameters.canonical());
  fields.number(static_cast<uint64_t>(length));
  fields.number(static_cast<uint64_t>(index));
  fields.number(seed);
  fields.text(prompt);
  fields.text(answer_prefix);
  fields.number(messages.size());
  for (const SampleMessage& message : messages) {
    fields.text(to_text(message.role));
    fields.span(message.bytes);
  }
  fields.span(context);
  fields.text(question);
  fields.number(references.size());
  for (const std::string& reference : references) fields.text(reference);
  fields.text(to_text(metric));
  fields.number(evidence.size());
  for (const Evidence& each : evidence) add_evidence(fields, each);
  for (const int64_t count :
       {tokens.prompt, tokens.reserve, tokens.total, tokens.prefix, tokens.context, off_by}) {
    fields.number(static_cast<uint64_t>(count));
  }
  fields.text(haystack);
  if (!variant.ordinary()) {
    fields.text(to_text(variant.axis));
    fields.text(variant.value);
    fields.text(variant.of);
  }
  return hash_hex(fields.bytes());
}

}  // namespace fathom
