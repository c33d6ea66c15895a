// Tiny models with random weights for tests, without a vocabulary: prompts are token ids. Each has
// the tensors and metadata of its architecture, so that llama.cpp builds that architecture's graph.
#pragma once

#include <ggml.h>
#include <gguf.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace fathom {

struct RandomModel {
  std::string architecture = "llama";  // llama, qwen2, qwen3, gemma2, gemma3
  int layers = 3;
  int heads = 4;
  int kv_heads = 2;
  int head_size = 32;
  int vocabulary = 256;
  int sliding_window = 0;  // gemma2, gemma3
  float soft_cap = 0;      // gemma2
};

class RandomGguf {
 public:
  explicit RandomGguf(const RandomModel& model)
      : model_(model),
        random_(RandomKey(7).with(model.architecture), "weights"),
        file_(gguf_init_empty()),
        memory_(
            ggml_init({.mem_size = size_t{64} << 20, .mem_buffer = nullptr, .no_alloc = false})) {}
  ~RandomGguf() {
    gguf_free(file_);
    ggml_free(memory_);
  }
  RandomGguf(const RandomGguf&) = delete;
  RandomGguf& operator=(const RandomGguf&) = delete;

  bool write(const std::string& path) {
    const int embedding = model_.heads * model_.head_size;
    add_metadata(embedding);
    matrix("token_embd", embedding, model_.vocabulary, 4);
    vector("output_norm", embedding);
    if (!gemma()) matrix("output", embedding, model_.vocabulary, 3);
    for (int layer = 0; layer < model_.layers; ++layer) add_layer(layer, embedding);
    return gguf_write_to_file(file_, path.c_str(), false);
  }

 private:
  [[nodiscard]] bool gemma() const { return model_.architecture.starts_with("gemma"); }
  [[nodiscard]] std::string key(std::string_view name) const {
    return model_.architecture + "." + std::string(name);
  }
  void number(std::string_view name, int value) {
    gguf_set_val_u32(file_, key(name).c_str(), static_cast<uint32_t>(value));
  }
  void add_metadata(int embedding) {
    gguf_set_val_str(file_, "general.architecture", model_.architecture.c_str());
    gguf_set_val_str(file_, "tokenizer.ggml.model", "none");
    number("vocab_size", model_.vocabulary);
    number("context_length", 4096);
    number("embedding_length", embedding);
    number("block_count", model_.layers);
    number("feed_forward_length", 2 * embedding);
    number("attention.head_count", model_.heads);
    number("attention.head_count_kv", model_.kv_heads);
    number("attention.key_length", model_.head_size);
    number("attention.value_length", model_.head_size);
    number("rope.dimension_count", model_.head_size);
    gguf_set_val_f32(file_, key("attention.layer_norm_rms_epsilon").c_str(), 1e-5F);
    if (model_.sliding_window > 0) number("attention.sliding_window", model_.sliding_window);
    if (model_.soft_cap > 0) {
      gguf_set_val_f32(file_, key("attn_logit_softcapping").c_str(), model_.soft_cap);
      gguf_set_val_f32(file_, key("final_logit_softcapping").c_str(), 30);
    }
  }
  void add_layer(int layer, int embedding) {
    const std::string block = "blk." + std::to_string(layer) + ".";
    const int query = model_.heads * model_.head_size;
    const int keys = model_.kv_heads * model_.head_size;
    vector(block + "attn_norm", embedding);
    matrix(block + "attn_q", embedding, query, 3);
    matrix(block + "attn_k", embedding, keys, 3);
    matrix(block + "attn_v", embedding, keys, 3);
    matrix(block + "attn_output", query, embedding, 3);
    if (model_.architecture == "qwen2") {
      bias(block + "attn_q", query);
      bias(block + "attn_k", keys);
      bias(block + "attn_v", keys);
    }
    if (model_.architecture == "qwen3" || model_.architecture == "gemma3") {
      vector(block + "attn_q_norm", model_.head_size);
      vector(block + "attn_k_norm", model_.head_size);
    }
    if (gemma()) {
      vector(block + "post_attention_norm", embedding);
      vector(block + "post_ffw_norm", embedding);
    }
    vector(block + "ffn_norm", embedding);
    matrix(block + "ffn_gate", embedding, 2 * embedding, 1);
    matrix(block + "ffn_up", embedding, 2 * embedding, 1);
    matrix(block + "ffn_down", 2 * embedding, embedding, 1);
  }
  void matrix(const std::string& name, int columns, int rows, double scale) {
    ggml_tensor* tensor = ggml_new_tensor_2d(memory_, GGML_TYPE_F32, columns, rows);
    fill(tensor, scale / std::sqrt(static_cast<double>(columns)));
    add(tensor, name + ".weight");
  }
  void vector(const std::string& name, int size) {
    ggml_tensor* tensor = ggml_new_tensor_1d(memory_, GGML_TYPE_F32, size);
    auto* values = static_cast<float*>(tensor->data);
    for (int i = 0; i < size; ++i) values[i] = 1;
    add(tensor, name + ".weight");
  }
  void bias(const std::string& name, int size) {
    ggml_tensor* tensor = ggml_new_tensor_1d(memory_, GGML_TYPE_F32, size);
    fill(tensor, 0.5);
    add(tensor, name + ".bias");
  }
  void fill(ggml_tensor* tensor, double scale) {
    auto* values = static_cast<float*>(tensor->data);
    for (int64_t i = 0; i < ggml_nelements(tensor); ++i)
      values[i] = static_cast<float>((random_.uniform() * 2 - 1) * 1.7 * scale);
  }
  void add(ggml_tensor* tensor, const std::string& name) {
    ggml_set_name(tensor, name.c_str());
    gguf_add_tensor(file_, tensor);
  }

  RandomModel model_;
  Random random_;
  gguf_context* file_;
  ggml_context* memory_;
};

}  // namespace fathom
