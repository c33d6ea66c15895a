// HTTP for many long streams at once: libcurl's multi interface on one I/O thread with epoll.
//
//   HttpClient client;
//   client.start({.url = url, .headers = headers, .body = body}, std::make_shared<MyReader>());
//
// Bodies are shared, never copied; connections are kept alive; redirects are never followed (a key
// would go with them); proxies come from the environment, but not for loopback addresses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fathom {

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers;                   // "Name: value"
  std::shared_ptr<const std::string> body = nullptr;  // null: GET, else POST
  int64_t connect_timeout_ms = 20'000;
  int64_t deadline_ms = 0;  // from start() to the last byte; 0: none
};

// Names in lower case, in the order received.
using HttpHeaders = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] std::optional<std::string_view> header(const HttpHeaders& headers,
                                                     std::string_view name);

enum class HttpProblem {
  kNone,       // the response is complete
  kCancelled,  // by cancel_all() or because the client ended
  kIdle,       // no byte came or went for the idle limit
  kDeadline,
  kConnect,   // no connection: name, address, refused, connect timeout
  kTls,       // certificate or handshake
  kBroken,    // the connection ended in the middle, or did not speak HTTP
  kTooLarge,  // headers without end
  kStopped,   // the reader wanted no more
  kInvalid,   // an address that is none
};

struct HttpEnd {
  HttpProblem problem = HttpProblem::kNone;
  std::string detail = {};  // what libcurl says, for people
  int64_t status = 0;       // 0: no response came
  HttpHeaders headers = {};
};

// What happens to one response. All calls come from the I/O thread, on_end() last and once; they
// must be quick and may call HttpClient::start().
class HttpReader {
 public:
  virtual ~HttpReader() = default;
  // Before the first body byte.
  virtual void on_response(int64_t status, const HttpHeaders& headers) = 0;
  // Some bytes of the body; false ends the transfer with kStopped.
  [[nodiscard]] virtual bool on_data(std::string_view bytes) = 0;
  virtual void on_end(HttpEnd end) = 0;
  // How long silence may last now; asked a few times a second.
  [[nodiscard]] virtual int64_t idle_timeout_ms() const = 0;
};

struct HttpResponse {
  HttpEnd end;
  std::string body;
};

// Thread-safe.
class HttpClient {
 public:
  HttpClient();
  ~HttpClient();  // ends what is in flight with kCancelled
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void start(HttpRequest request, std::shared_ptr<HttpReader> reader);
  // Sends and waits. Bodies beyond `most_bytes` end with kStopped. Never on the I/O thread.
  [[nodiscard]] HttpResponse fetch(HttpRequest request, int64_t idle_timeout_ms, size_t most_bytes);
  void cancel_all();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fathom
