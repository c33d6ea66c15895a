// Threads that llama.cpp computes with, kept between computations. Without them it starts and joins
// threads anew for every piece of a graph, and a hooked graph falls into a piece a layer.
#pragma once

#include <memory>

struct ggml_threadpool;
struct llama_context;

namespace fathom {

// Thread-compatible; must outlive the contexts that it is attached to.
class ThreadPool {
 public:
  // Requires: llama.cpp's backends are loaded. Of one thread, or where the backend has no pools,
  // nothing is made and attach() does nothing: computations are the same, bit for bit.
  explicit ThreadPool(int threads);
  void attach(llama_context* context) const;

 private:
  std::unique_ptr<ggml_threadpool, void (*)(ggml_threadpool*)> pool_;
};

}  // namespace fathom
