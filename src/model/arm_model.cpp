#include "model/arm_model.h"

namespace fathom {

void ArmModel::start(Request request, std::function<void(Answer)> done) {
  request.arm = arm_;
  request.record = record_;
  auto asked = std::make_shared<Request>(request);
  model_.start(std::move(request), [asked, sink = sink_, done = std::move(done)](Answer answer) {
    if (Reply* reply = std::get_if<Reply>(&answer);
        reply != nullptr && reply->selection != nullptr) {
      (*sink)(*asked, *reply);
      reply->recording = nullptr;  // as large as a cache: nobody behind this one wants it
    }
    done(std::move(answer));
  });
}

}  // namespace fathom
