// A small HTTP/1.1 server on loopback for tests: it answers as the test says, also badly.
//
//   FaultServer server([](const ServerRequest& request) {
//     return request.number == 0 ? status_reply(429, "slow down", {{"Retry-After", "2"}}) :
//     chat_stream({"for", "ty"});
//   });
//   options.base_url = server.url();
//
// One thread per connection, keep-alive; for tens of connections, not for load.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace fathom {

struct ServerRequest {
  std::string method;
  std::string path;                            // with its query
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  int number = 0;  // 0 for the first request to the server, counting every path
};

enum class ReplyEnd {
  kComplete,  // the message ends as HTTP wants
  kHangUp,    // the connection is closed in the middle of the message
  kReset,     // as kHangUp, with a TCP reset
  kSilence,  // nothing more comes; the connection stays open until the client or the server ends it
};

struct ServerReply {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<std::string> parts;  // sent one by one, each as one HTTP chunk
  int first_delay_ms = 0;          // before the status line
  int part_delay_ms = 0;           // before each part
  bool content_length = false;     // one message of known length in place of chunks
  ReplyEnd end = ReplyEnd::kComplete;
  std::string
      raw;  // not empty: sent as it is, in place of everything above but first_delay_ms and end
};

// Thread-safe. `respond` runs on connection threads, several at once.
class FaultServer {
 public:
  using Respond = std::function<ServerReply(const ServerRequest&)>;

  explicit FaultServer(Respond respond);
  ~FaultServer();  // closes every connection and joins
  FaultServer(const FaultServer&) = delete;
  FaultServer& operator=(const FaultServer&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string url() const;                          // "http://127.0.0.1:PORT"
  [[nodiscard]] std::vector<ServerRequest> requests() const;      // in the order they came in
  [[nodiscard]] int connections() const { return connections_; }  // accepted since the start

 private:
  void accept_loop();
  void serve(int socket);
  bool send_reply(int socket, const ServerReply& reply);
  bool send_all(int socket, const std::string& bytes);
  bool pause(int milliseconds);  // false when the server stops

  Respond respond_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_{false};
  std::atomic<int> connections_{0};
  mutable std::mutex mutex_;
  std::vector<ServerRequest> requests_;
  std::vector<int> sockets_;
  std::vector<std::thread> workers_;
  std::thread acceptor_;
};

}  // namespace fathom
