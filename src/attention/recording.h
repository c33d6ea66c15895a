// Keys and queries of one sample under full attention, kept so that selectors can be tried on them
// without the model (spec A8). File form: docs/formats/recording.md.
//
//   TRY(const AttentionRecording recording, read_recording("full/deep/vt_1024_0-1b2c3d4e.kq"));
//   TRY(const SelectionLog log, replay(recording, arm));
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "attention/attention_view.h"
#include "base/result.h"
#include "base/span.h"

namespace fathom {

// From the product of a key and a query to what soft-max reads: after · before · product, or with a
// soft-cap after · tanh(before · product).
struct LogitRule {
  float before = 1;
  float after = 1;
  bool capped = false;
  [[nodiscard]] float of(float product) const;
  bool operator==(const LogitRule&) const = default;
};

// Of one layer; keys and queries after RoPE.
struct LayerRecording {
  std::vector<uint16_t> keys = {};  // f16: [position][kv head][head_size]
  std::vector<float> queries = {};  // [query][query head][head_size]
  std::vector<int32_t> first = {};  // first visible position of each query
  bool operator==(const LayerRecording&) const = default;
};

struct AttentionRecording {
  std::string sample_id = {};
  AttentionShape shape = {};
  LogitRule logit = {};
  std::vector<int32_t> tokens = {};  // of the prompt
  int64_t context_tokens = 0;        // of them, those before the question
  std::vector<TokenSpan> evidence = {};
  int64_t first_query = 0;  // position; every query from here to the last key is recorded
  std::vector<LayerRecording> layers = {};

  // Of the prompt and the answer: keys.
  [[nodiscard]] int64_t positions() const;
  [[nodiscard]] int64_t queries() const { return positions() - first_query; }
  bool operator==(const AttentionRecording&) const = default;
};

// Requires: all layers hold the same positions and queries.
[[nodiscard]] std::string recording_bytes(const AttentionRecording& recording);

// Any bytes: never crashes, and holds no more memory than a small multiple of them. Errors
// (kInput): "WHERE: …", for a file that is cut, changed (by its hash), inconsistent, or holds
// numbers that are not finite.
[[nodiscard]] Result<AttentionRecording> recording_from_bytes(std::string_view bytes,
                                                              std::string_view where);

[[nodiscard]] Result<AttentionRecording> read_recording(const std::string& path);
[[nodiscard]] Result<void> write_recording(const std::string& path,
                                           const AttentionRecording& recording);

// "vt[hops=4]:1024:0" → "vt_hops_4__1024_0-1b2c3d4e.kq": a file's name, another one for every id.
[[nodiscard]] std::string recording_name(std::string_view sample_id);

}  // namespace fathom
