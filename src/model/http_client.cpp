#include "model/http_client.h"

#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <future>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace fathom {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr size_t kMostHeaderBytes = 128 << 10;
constexpr int kCheckMs = 100;  // how often idle limits and deadlines are looked at
constexpr long kKeptConnections = 1024;

int64_t ms_between(SteadyClock::time_point from, SteadyClock::time_point to) {
  return std::chrono::duration_cast<milliseconds>(to - from).count();
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

bool is_loopback(const std::string& url) {
  const size_t scheme = url.find("://");
  if (scheme == std::string::npos) return false;
  const std::string_view rest = std::string_view(url).substr(scheme + 3);
  const std::string_view host = rest.substr(0, rest.find_first_of("/?"));
  return host.starts_with("127.") || host.starts_with("localhost") || host.starts_with("[::1]");
}

HttpProblem problem_of(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return HttpProblem::kNone;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:  // only the connect timeout is left to libcurl
      return HttpProblem::kConnect;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
      return HttpProblem::kTls;
    case CURLE_URL_MALFORMAT:
      return HttpProblem::kInvalid;
    default:
      return HttpProblem::kBroken;
  }
}

// One request in flight; lives on the I/O thread.
struct Transfer {
  HttpRequest request;
  std::shared_ptr<HttpReader> reader;
  CURL* easy = nullptr;
  curl_slist* headers = nullptr;
  std::array<char, CURL_ERROR_SIZE> error{};
  HttpHeaders response;
  int64_t status = 0;
  size_t header_bytes = 0;
  bool announced = false;  // on_response() was called
  HttpProblem stopped_by_us = HttpProblem::kNone;
  SteadyClock::time_point started = SteadyClock::now();
  SteadyClock::time_point last_byte = started;
  curl_off_t moved = 0;

  Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() {
    if (easy != nullptr) curl_easy_cleanup(easy);
    curl_slist_free_all(headers);
  }

  void announce() {
    if (announced) return;
    announced = true;
    reader->on_response(status, response);
  }
};

size_t on_header(char* bytes, size_t size, size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view line(bytes, size * count);
  transfer.header_bytes += line.size();
  if (transfer.header_bytes > kMostHeaderBytes) {
    transfer.stopped_by_us = HttpProblem::kTooLarge;
    return 0;
  }
  if (line.starts_with("HTTP/")) {  // also after "100 Continue"
    transfer.response.clear();
    return line.size();
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return line.size();
  std::string name(trimmed(line.substr(0, colon)));
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  transfer.response.emplace_back(std::move(name), trimmed(line.substr(colon + 1)));
  return line.size();
}

size_t on_body(char* bytes, size_t size, size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  transfer.last_byte = SteadyClock::now();
  if (!transfer.announced) {
    long status = 0;
    curl_easy_getinfo(transfer.easy, CURLINFO_RESPONSE_CODE, &status);
    transfer.status = status;
    transfer.announce();
  }
  if (transfer.reader->on_data({bytes, size * count})) return size * count;
  transfer.stopped_by_us = HttpProblem::kStopped;
  return 0;
}

int on_progress(void* user, curl_off_t, curl_off_t down, curl_off_t, curl_off_t up) {
  auto& transfer = *static_cast<Transfer*>(user);
  if (down + up != transfer.moved) {
    transfer.moved = down + up;
    transfer.last_byte = SteadyClock::now();
  }
  return 0;
}

}  // namespace

struct HttpClient::State {
  CURLM* multi = nullptr;
  int epoll = -1;
  int wake = -1;
  std::optional<SteadyClock::time_point> curl_due;  // when libcurl wants to be called
  std::unordered_map<CURL*, std::unique_ptr<Transfer>> transfers;
  SteadyClock::time_point next_check = SteadyClock::now();

  std::mutex mutex;  // guards the four below
  std::vector<std::unique_ptr<Transfer>> incoming;
  bool cancelling = false;
  bool ending = false;
  bool ended = false;
  std::thread thread;

  void run();
  bool take_commands();
  void add(std::unique_ptr<Transfer> transfer);
  void configure(Transfer& transfer);
  void finish(CURL* easy, CURLcode code);
  void finish_done();
  void check_limits();
  [[nodiscard]] int wait_ms() const;
  void signal() const {
    const uint64_t one = 1;
    static_cast<void>(write(wake, &one, sizeof one));
  }

  static int on_socket(CURL*, curl_socket_t socket, int what, void* user, void* known);
  static int on_timer(CURLM*, long timeout_ms, void* user);
};

int HttpClient::State::on_socket(CURL*, curl_socket_t socket, int what, void* user, void* known) {
  auto& state = *static_cast<State*>(user);
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(state.epoll, EPOLL_CTL_DEL, socket, nullptr);
    return 0;
  }
  epoll_event event{};
  if ((what & CURL_POLL_IN) != 0) event.events |= EPOLLIN;
  if ((what & CURL_POLL_OUT) != 0) event.events |= EPOLLOUT;
  event.data.fd = socket;
  if (known != nullptr) return epoll_ctl(state.epoll, EPOLL_CTL_MOD, socket, &event);
  curl_multi_assign(state.multi, socket, user);  // marks the socket as known
  return epoll_ctl(state.epoll, EPOLL_CTL_ADD, socket, &event);
}

int HttpClient::State::on_timer(CURLM*, long timeout_ms, void* user) {
  auto& state = *static_cast<State*>(user);
  if (timeout_ms < 0)
    state.curl_due.reset();
  else
    state.curl_due = SteadyClock::now() + milliseconds(timeout_ms);
  return 0;
}

void HttpClient::State::configure(Transfer& transfer) {
  CURL* easy = transfer.easy;
  const HttpRequest& request = transfer.request;
  curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 65536L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_timeout_ms));
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.error.data());
  if (is_loopback(request.url)) curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
  if (const char* bundle = std::getenv("SSL_CERT_FILE"); bundle != nullptr && *bundle != '\0')
    curl_easy_setopt(easy, CURLOPT_CAINFO, bundle);

  for (const std::string& line : request.headers)
    transfer.headers = curl_slist_append(transfer.headers, line.c_str());
  transfer.headers = curl_slist_append(transfer.headers, "Expect:");  // a prompt is sent at once
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer.headers);
  if (request.body != nullptr) {
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body->size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body->data());  // shared, not copied
  }
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
  curl_easy_setopt(easy, CURLOPT_XFERINFODATA, &transfer);
}

void HttpClient::State::add(std::unique_ptr<Transfer> transfer) {
  transfer->easy = curl_easy_init();
  if (transfer->easy == nullptr) {
    transfer->reader->on_end(
        {.problem = HttpProblem::kBroken, .detail = "no memory for a request"});
    return;
  }
  configure(*transfer);
  CURL* easy = transfer->easy;
  transfers.emplace(easy, std::move(transfer));
  curl_multi_add_handle(multi, easy);
}

void HttpClient::State::finish(CURL* easy, CURLcode code) {
  const auto found = transfers.find(easy);
  if (found == transfers.end()) return;
  const std::unique_ptr<Transfer> transfer = std::move(found->second);
  transfers.erase(found);
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  transfer->status = status;
  HttpEnd end;
  end.problem =
      transfer->stopped_by_us != HttpProblem::kNone ? transfer->stopped_by_us : problem_of(code);
  end.detail = transfer->error.front() != '\0' ? transfer->error.data() : curl_easy_strerror(code);
  // What libcurl says of a header line beyond its own limit.
  if (code == CURLE_OUT_OF_MEMORY && transfer->header_bytes > 0 && !transfer->announced)
    end.problem = HttpProblem::kTooLarge;
  if (end.problem == HttpProblem::kNone) {
    end.detail.clear();
    transfer->announce();  // a response without a body
  }
  end.status = status;
  end.headers = transfer->response;
  curl_multi_remove_handle(multi, easy);
  transfer->reader->on_end(std::move(end));
}

void HttpClient::State::finish_done() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
    if (message->msg == CURLMSG_DONE) finish(message->easy_handle, message->data.result);
  }
}

void HttpClient::State::check_limits() {
  const SteadyClock::time_point now = SteadyClock::now();
  if (now < next_check) return;
  next_check = now + milliseconds(kCheckMs);
  std::vector<CURL*> over;
  for (const auto& [easy, transfer] : transfers) {
    const int64_t deadline = transfer->request.deadline_ms;
    if (deadline > 0 && ms_between(transfer->started, now) > deadline)
      transfer->stopped_by_us = HttpProblem::kDeadline;
    else if (ms_between(transfer->last_byte, now) > transfer->reader->idle_timeout_ms())
      transfer->stopped_by_us = HttpProblem::kIdle;
    else
      continue;
    over.push_back(easy);
  }
  for (CURL* easy : over) finish(easy, CURLE_OPERATION_TIMEDOUT);
}

// Returns false when the client ends.
bool HttpClient::State::take_commands() {
  std::vector<std::unique_ptr<Transfer>> added;
  bool cancel = false;
  bool end = false;
  {
    const std::lock_guard lock(mutex);
    added.swap(incoming);
    cancel = cancelling || ending;
    cancelling = false;
    end = ending;
    ended = ending;
  }
  if (cancel) {
    std::vector<CURL*> all;
    for (const auto& [easy, transfer] : transfers) all.push_back(easy);
    for (CURL* easy : all) {
      transfers[easy]->stopped_by_us = HttpProblem::kCancelled;
      finish(easy, CURLE_ABORTED_BY_CALLBACK);
    }
  }
  for (std::unique_ptr<Transfer>& transfer : added) {
    if (transfer->stopped_by_us == HttpProblem::kNone && !end)
      add(std::move(transfer));
    else
      transfer->reader->on_end({.problem = HttpProblem::kCancelled, .detail = "stopped"});
  }
  return !end;
}

int HttpClient::State::wait_ms() const {
  if (transfers.empty() && !curl_due) return -1;
  const SteadyClock::time_point now = SteadyClock::now();
  int64_t wait = transfers.empty() ? INT32_MAX : ms_between(now, next_check) + 1;
  if (curl_due) wait = std::min(wait, ms_between(now, *curl_due) + (*curl_due > now ? 1 : 0));
  return static_cast<int>(std::max<int64_t>(0, wait));
}

void HttpClient::State::run() {
  std::array<epoll_event, 256> events{};
  int running = 0;
  while (take_commands()) {
    const int count = epoll_wait(epoll, events.data(), static_cast<int>(events.size()), wait_ms());
    for (int i = 0; i < count; ++i) {
      if (events[i].data.fd == wake) {
        uint64_t value = 0;
        static_cast<void>(read(wake, &value, sizeof value));
        continue;
      }
      int flags = 0;
      if ((events[i].events & (EPOLLIN | EPOLLHUP)) != 0) flags |= CURL_CSELECT_IN;
      if ((events[i].events & EPOLLOUT) != 0) flags |= CURL_CSELECT_OUT;
      if ((events[i].events & EPOLLERR) != 0) flags |= CURL_CSELECT_ERR;
      curl_multi_socket_action(multi, events[i].data.fd, flags, &running);
    }
    if (curl_due && *curl_due <= SteadyClock::now()) {
      curl_due.reset();
      curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    finish_done();
    check_limits();
  }
}

HttpClient::HttpClient() : state_(std::make_unique<State>()) {
  static const CURLcode global = curl_global_init(CURL_GLOBAL_DEFAULT);
  static_cast<void>(global);
  State& state = *state_;
  state.multi = curl_multi_init();
  state.epoll = epoll_create1(EPOLL_CLOEXEC);
  state.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = state.wake;
  epoll_ctl(state.epoll, EPOLL_CTL_ADD, state.wake, &event);
  curl_multi_setopt(state.multi, CURLMOPT_SOCKETFUNCTION, State::on_socket);
  curl_multi_setopt(state.multi, CURLMOPT_SOCKETDATA, &state);
  curl_multi_setopt(state.multi, CURLMOPT_TIMERFUNCTION, State::on_timer);
  curl_multi_setopt(state.multi, CURLMOPT_TIMERDATA, &state);
  curl_multi_setopt(state.multi, CURLMOPT_MAXCONNECTS, kKeptConnections);
  curl_multi_setopt(state.multi, CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING));
  state.thread = std::thread([&state] { state.run(); });
}

HttpClient::~HttpClient() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->ending = true;
  }
  state_->signal();
  state_->thread.join();
  curl_multi_cleanup(state_->multi);
  close(state_->wake);
  close(state_->epoll);
}

void HttpClient::start(HttpRequest request, std::shared_ptr<HttpReader> reader) {
  auto transfer = std::make_unique<Transfer>();
  transfer->request = std::move(request);
  transfer->reader = std::move(reader);
  {
    std::unique_lock lock(state_->mutex);
    if (!state_->ended) {
      state_->incoming.push_back(std::move(transfer));
      lock.unlock();
      state_->signal();
      return;
    }
  }
  transfer->reader->on_end({.problem = HttpProblem::kCancelled, .detail = "stopped"});
}

void HttpClient::cancel_all() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->cancelling = true;
    for (const std::unique_ptr<Transfer>& transfer : state_->incoming)
      transfer->stopped_by_us = HttpProblem::kCancelled;
  }
  state_->signal();
}

HttpResponse HttpClient::fetch(HttpRequest request, int64_t idle_timeout_ms, size_t most_bytes) {
  class Collector : public HttpReader {
   public:
    Collector(int64_t idle, size_t most) : idle_(idle), most_(most) {}
    void on_response(int64_t, const HttpHeaders&) override {}
    bool on_data(std::string_view bytes) override {
      response_.body += bytes;
      return response_.body.size() <= most_;
    }
    void on_end(HttpEnd end) override {
      response_.end = std::move(end);
      promise_.set_value(std::move(response_));
    }
    int64_t idle_timeout_ms() const override { return idle_; }
    std::future<HttpResponse> future() { return promise_.get_future(); }

   private:
    int64_t idle_;
    size_t most_;
    HttpResponse response_;
    std::promise<HttpResponse> promise_;
  };
  const auto collector = std::make_shared<Collector>(idle_timeout_ms, most_bytes);
  std::future<HttpResponse> future = collector->future();
  start(std::move(request), collector);
  return future.get();
}

std::optional<std::string_view> header(const HttpHeaders& headers, std::string_view name) {
  for (const auto& [known, value] : headers)
    if (known == name) return value;
  return std::nullopt;
}

}  // namespace fathom
