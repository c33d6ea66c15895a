#include "servers/fault_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace fathom {
namespace {

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::abort();  // a test machine without loopback sockets: nothing to test
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Reads one request; nullopt when the connection ends.
std::optional<ServerRequest> read_request(int socket, std::string& buffer) {
  const auto more = [&] {
    char bytes[65536];
    const ssize_t n = recv(socket, bytes, sizeof bytes, 0);
    if (n <= 0) return false;
    buffer.append(bytes, static_cast<size_t>(n));
    return true;
  };
  size_t end = 0;
  while ((end = buffer.find("\r\n\r\n")) == std::string::npos)
    if (!more()) return std::nullopt;

  ServerRequest request;
  const std::string head = buffer.substr(0, end);
  size_t line_end = std::min(head.find("\r\n"), head.size());
  const std::string first = head.substr(0, line_end);
  const size_t space = first.find(' ');
  const size_t second = first.find(' ', space + 1);
  if (space == std::string::npos || second == std::string::npos) return std::nullopt;
  request.method = first.substr(0, space);
  request.path = first.substr(space + 1, second - space - 1);
  while (line_end < head.size()) {
    const size_t begin = line_end + 2;
    line_end = std::min(head.find("\r\n", begin), head.size());
    const std::string line = head.substr(begin, line_end - begin);
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const size_t value = line.find_first_not_of(' ', colon + 1);
    request.headers[lower(line.substr(0, colon))] =
        value == std::string::npos ? "" : line.substr(value);
  }
  buffer.erase(0, end + 4);
  const auto length = request.headers.find("content-length");
  const size_t wanted = length == request.headers.end() ? 0 : std::stoul(length->second);
  while (buffer.size() < wanted)
    if (!more()) return std::nullopt;
  request.body = buffer.substr(0, wanted);
  buffer.erase(0, wanted);
  return request;
}

void close_with_reset(int socket) {
  const linger hard{.l_onoff = 1, .l_linger = 0};
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
}

}  // namespace

FaultServer::FaultServer(Respond respond) : respond_(std::move(respond)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0) give_up("socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0) give_up("bind");
  if (listen(listener_, 512) != 0) give_up("listen");
  if (getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    give_up("getsockname");
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_loop(); });
}

FaultServer::~FaultServer() {
  stopping_ = true;
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  {
    const std::lock_guard lock(mutex_);
    for (const int socket : sockets_) shutdown(socket, SHUT_RDWR);
  }
  for (std::thread& worker : workers_) worker.join();
  close(listener_);
}

std::string FaultServer::url() const { return "http://127.0.0.1:" + std::to_string(port_); }

std::vector<ServerRequest> FaultServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void FaultServer::accept_loop() {
  while (!stopping_) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ++connections_;
    const std::lock_guard lock(mutex_);
    sockets_.push_back(socket);
    workers_.emplace_back([this, socket] { serve(socket); });
  }
}

void FaultServer::serve(int socket) {
  std::string buffer;
  while (!stopping_) {
    std::optional<ServerRequest> request = read_request(socket, buffer);
    if (!request) break;
    {
      const std::lock_guard lock(mutex_);
      request->number = static_cast<int>(requests_.size());
      requests_.push_back(*request);
    }
    if (!send_reply(socket, respond_(*request))) break;
  }
  const std::lock_guard lock(mutex_);
  std::erase(sockets_, socket);
  close(socket);
}

bool FaultServer::send_all(int socket, const std::string& bytes) {
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return false;
    sent += static_cast<size_t>(n);
  }
  return true;
}

bool FaultServer::pause(int milliseconds) {
  for (int waited = 0; waited < milliseconds && !stopping_; waited += 5)
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min(5, milliseconds - waited)));
  return !stopping_;
}

bool FaultServer::send_reply(int socket, const ServerReply& reply) {
  if (!pause(reply.first_delay_ms)) return false;
  const bool whole = reply.end == ReplyEnd::kComplete;
  bool sent = true;
  if (!reply.raw.empty()) {
    sent = send_all(socket, reply.raw);
  } else {
    std::string head = "HTTP/1.1 " + std::to_string(reply.status) + " Test\r\n";
    for (const auto& [name, value] : reply.headers) head += name + ": " + value + "\r\n";
    size_t total = 0;
    for (const std::string& part : reply.parts) total += part.size();
    if (reply.content_length)
      head += "Content-Length: " + std::to_string(total) + "\r\n\r\n";
    else
      head += "Transfer-Encoding: chunked\r\n\r\n";
    // A server that never answers sends not even its status line.
    if (reply.end != ReplyEnd::kSilence || !reply.parts.empty()) sent = send_all(socket, head);
    for (const std::string& part : reply.parts) {
      if (!sent || !pause(reply.part_delay_ms)) return false;
      if (part.empty()) continue;
      char size[32];
      std::snprintf(size, sizeof size, "%zx\r\n", part.size());
      sent = send_all(socket, reply.content_length ? part : size + part + "\r\n");
    }
    if (sent && whole && !reply.content_length) sent = send_all(socket, "0\r\n\r\n");
  }
  if (reply.end == ReplyEnd::kReset) close_with_reset(socket);
  if (reply.end == ReplyEnd::kSilence) {
    char byte;
    while (!stopping_ && recv(socket, &byte, 1, 0) > 0) {
    }
  }
  return sent && whole && reply.raw.empty();
}

}  // namespace fathom
