#include "model/thread_pool.h"

#include <ggml-backend.h>
#include <ggml.h>
#include <llama.h>

#include <cstdint>

namespace fathom {
namespace {

using Pool = ggml_threadpool;

// The backend library is chosen when the program runs, so its functions are asked for by name.
template <class Function>
Function* backend_function(const char* name) {
  ggml_backend_dev_t device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
  if (device == nullptr) return nullptr;
  ggml_backend_reg_t backend = ggml_backend_dev_backend_reg(device);
  return reinterpret_cast<Function*>(ggml_backend_reg_get_proc_address(backend, name));
}

// How long a thread looks for the next piece before it sleeps: a few ms. llama.cpp's default looks
// for tenths of a second, which takes a core from others between answers.
constexpr uint32_t kPoll = 1;

void nothing_to_free(Pool* /*pool*/) {}

}  // namespace

ThreadPool::ThreadPool(int threads) : pool_(nullptr, nothing_to_free) {
  auto* make = backend_function<Pool*(ggml_threadpool_params*)>("ggml_threadpool_new");
  auto* free = backend_function<void(Pool*)>("ggml_threadpool_free");
  if (threads < 2 || make == nullptr || free == nullptr) return;
  ggml_threadpool_params params = ggml_threadpool_params_default(threads);
  params.poll = kPoll;
  pool_ = {make(&params), free};
}

void ThreadPool::attach(llama_context* context) const {
  if (pool_ != nullptr) llama_attach_threadpool(context, pool_.get(), pool_.get());
}

}  // namespace fathom
