#include "model/answer_reader.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "model/one_line.h"
#include "model/openai_stream.h"
#include "model/server_error.h"
#include "model/sse.h"

namespace fathom {
namespace {

using SteadyClock = std::chrono::steady_clock;
using Done = std::function<void(Answer)>;

constexpr size_t kMostEventBytes = 8 << 20;
constexpr size_t kMostDocumentBytes = 64 << 20;
constexpr size_t kMostErrorBytes = 64 << 10;

// Silence before the first token: two minutes, and 10 ms for each prompt token (a slow machine that
// prefills 100 tokens a second). Between tokens: two minutes. After the last: half a second for the
// end of the message.
constexpr int64_t kIdleMs = 120'000;
constexpr int64_t kIdleMsPerToken = 10;
constexpr int64_t kIdleAfterDoneMs = 500;

double ms_since(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

// Reads one answer; lives on the I/O thread.
class AnswerReader : public HttpReader {
 public:
  AnswerReader(AnswerReaderSettings settings, Done done)
      : settings_(std::move(settings)), done_(std::move(done)) {}

  void on_response(int64_t status, const HttpHeaders& headers) override {
    status_ = status;
    if (const auto id = header(headers, "x-request-id")) request_id_ = *id;
  }

  bool on_data(std::string_view bytes) override {
    if (status_ != 200) {
      body_.append(bytes.substr(0, kMostErrorBytes - std::min(kMostErrorBytes, body_.size())));
      return true;
    }
    if (form_ == Form::kUnknown) {
      const size_t begin = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
      if (begin == std::string_view::npos) return true;
      form_ = bytes[begin] == '{' || bytes[begin] == '[' || bytes[begin] == '<' ? Form::kDocument
                                                                                : Form::kEvents;
    }
    if (form_ == Form::kDocument) {
      body_ += bytes;
      return body_.size() <= kMostDocumentBytes;
    }
    if (body_.size() < kMostQuoted) body_.append(bytes.substr(0, kMostQuoted - body_.size()));
    const bool fits = events_.feed(bytes, [this](std::string_view data) { take_event(data); });
    if (!fits)
      failure_ = Failure{.kind = FailureKind::kTransient,
                         .http_status = 200,
                         .detail = "an event of the stream never ends"};
    return !failure_;
  }

  void on_end(HttpEnd end) override {
    Answer answer = finish(end);
    if (Failure* failure = std::get_if<Failure>(&answer))
      failure->detail = without_key(failure->detail, settings_.key);
    else
      report_processed(settings_.prompt_tokens);
    done_(std::move(answer));
  }

  int64_t idle_timeout_ms() const override {
    if (answer_.done()) return kIdleAfterDoneMs;
    if (settings_.idle_timeout_ms > 0) return settings_.idle_timeout_ms;
    return answer_.has_output() ? kIdleMs : kIdleMs + kIdleMsPerToken * settings_.prompt_tokens;
  }

 private:
  enum class Form { kUnknown, kEvents, kDocument };
  static constexpr size_t kMostQuoted = 200;  // of a stream without events, for the message

  void take_event(std::string_view data) {
    if (failure_) return;
    ++event_count_;
    failure_ = answer_.add_event(data);
    if (first_token_ms_ == 0 && answer_.has_output()) {
      first_token_ms_ = ms_since(sent_);
      report_processed(settings_.prompt_tokens);
    } else if (first_token_ms_ == 0) {
      report_processed(answer_.processed_tokens());
    }
  }

  void report_processed(int64_t tokens) {
    if (settings_.processed == nullptr || tokens <= reported_) return;
    *settings_.processed += tokens - reported_;
    reported_ = tokens;
  }

  [[nodiscard]] Answer finish(const HttpEnd& end) {
    if (failure_) return *failure_;
    const bool late = end.problem == HttpProblem::kIdle &&
                      answer_.done();  // all is there but the end of the message
    if (end.problem != HttpProblem::kNone && !late) return classify_broken(end);
    if (end.status != 200)
      return classify_response(end.status, end.headers, body_, system_clock().unix_ms());
    if (form_ == Form::kDocument) {
      if (read_complaint(body_).web_page)
        return Failure{.kind = FailureKind::kPermanent,
                       .http_status = 200,
                       .detail = "the server answers with " + read_complaint(body_).message +
                                 "; is this the API's address?"};
      if (std::optional<Failure> failure = answer_.add_document(body_)) return *failure;
    } else if (event_count_ == 0 && !body_.empty()) {
      return Failure{.kind = FailureKind::kTransient,
                     .http_status = 200,
                     .detail = "the answer is no event stream: " + one_line(body_, 120)};
    }
    if (std::optional<Failure> failure = answer_.incomplete()) return *failure;
    Reply reply = answer_.reply();
    reply.total_ms = ms_since(sent_);
    reply.first_token_ms = first_token_ms_ > 0 ? first_token_ms_ : reply.total_ms;
    reply.request_id = request_id_;
    return reply;
  }

  AnswerReaderSettings settings_;
  Done done_;
  SteadyClock::time_point sent_ = SteadyClock::now();
  SseParser events_{kMostEventBytes};
  OpenAiAnswer answer_;
  Form form_ = Form::kUnknown;
  std::string body_;  // a document, an error, or the start of a stream
  std::string request_id_;
  std::optional<Failure> failure_;
  int64_t status_ = 0;
  int64_t event_count_ = 0;
  int64_t reported_ = 0;
  double first_token_ms_ = 0;
};

}  // namespace

std::shared_ptr<HttpReader> make_answer_reader(AnswerReaderSettings settings,
                                               std::function<void(Answer)> done) {
  return std::make_shared<AnswerReader>(std::move(settings), std::move(done));
}

std::string without_key(std::string text, const std::string& key) {
  constexpr size_t kShortest = 4;  // shorter "keys" are placeholders that occur in words
  if (key.size() < kShortest) return text;
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at))
    text.replace(at, key.size(), "***");
  return text;
}

}  // namespace fathom
