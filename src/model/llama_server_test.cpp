// The same GGUF through llama.cpp's own server and in-process gives the same token counts and
// greedy answers (R1, R4). Needs FATHOM_PYTHON: a Python with the package xllamacpp
// (tests/servers/llama_server.py).
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <future>

#include "io/file.h"
#include "model/gguf_model.h"
#include "model/openai_model.h"

namespace fathom {
namespace {

const std::string kModelFile = std::string(FATHOM_DEPS_DIR) + "/models/smollm2.gguf";
const std::string kScript = std::string(FATHOM_SOURCE_DIR) + "/tests/servers/llama_server.py";

// The server process; ends with this object.
class ServerProcess {
 public:
  explicit ServerProcess(const std::string& python) {
    int input[2];
    int output[2];
    if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const std::vector<std::string> words = {python, kScript, kModelFile, "--window", "2048"};
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    if (posix_spawnp(&process_, python.c_str(), &actions, nullptr, arguments.data(), environ) != 0)
      process_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(input[0]);
    close(output[1]);
    input_ = input[1];
    char c = 0;
    while (read(output[0], &c, 1) == 1 && c != '\n') url_ += c;
    close(output[0]);
  }
  ~ServerProcess() {
    if (input_ >= 0) close(input_);
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  pid_t process_ = -1;
  int input_ = -1;
  std::string url_;
};

ModelOptions server_options(const std::string& url, const std::string& api = "") {
  ModelOptions options;
  options.base_url = url;
  options.api = api;
  return options;
}

ModelOptions engine_options() {
  ModelOptions options;
  options.model = kModelFile;
  options.context_tokens = 2048;
  options.threads = 1;
  return options;
}

Answer ask(Model& model, Request request) {
  std::promise<Answer> promise;
  model.start(std::move(request), [&](Answer answer) { promise.set_value(std::move(answer)); });
  return promise.get_future().get();
}

std::string needle_prompt(int lines, int at, const std::string& number) {
  std::string text = "<|im_start|>user\nRemember the special number in this text.\n";
  for (int i = 0; i < lines; ++i) {
    if (i == at) text += "The special number of the blue harbor is " + number + ".\n";
    text += "The grass is green. The sky is blue. The sun is yellow. Here we go again.\n";
  }
  return text + "What is the special number of the blue harbor?<|im_end|>\n<|im_start|>assistant\n";
}

TEST(LlamaServerSlow, AgreesWithTheEngineInProcess) {
  const char* python = std::getenv("FATHOM_PYTHON");
  if (python == nullptr)
    GTEST_SKIP() << "FATHOM_PYTHON is not set: a Python with xllamacpp, as ./dev setup makes";
  if (!file_exists(kModelFile)) GTEST_SKIP() << kModelFile << " is missing: run ./dev setup";
  const ServerProcess process(python);
  ASSERT_THAT(process.url(), testing::StartsWith("http://127.0.0.1:"))
      << "the server did not start";

  Result<std::unique_ptr<Model>> server = open_openai_model(server_options(process.url()), "");
  ASSERT_TRUE(server.has_value()) << server.error().message;
  const Result<ModelProfile> server_profile = (*server)->probe();
  ASSERT_TRUE(server_profile.has_value()) << server_profile.error().message;
  EXPECT_EQ(server_profile->window_tokens, 2048);
  EXPECT_EQ(server_profile->slots, 1);
  EXPECT_TRUE(server_profile->raw_prompts);

  Result<std::unique_ptr<Model>> engine = open_gguf_model(engine_options());
  ASSERT_TRUE(engine.has_value()) << engine.error().message;
  const Result<ModelProfile> engine_profile = (*engine)->probe();
  ASSERT_TRUE(engine_profile.has_value()) << engine_profile.error().message;
  EXPECT_EQ(server_profile->chat_template, engine_profile->chat_template);
  EXPECT_EQ(server_profile->bos_text, engine_profile->bos_text);

  // Two builds of llama.cpp round differently, so an open end may part after some words; an answer
  // that the prompt holds does not.
  const struct {
    std::string prompt;
    size_t same_bytes;
  } cases[] = {{needle_prompt(5, 2, "4711"), std::string::npos},
               {needle_prompt(40, 20, "90210"), std::string::npos},
               {needle_prompt(60, 7, "31337"), std::string::npos},
               {"The capital of France is", 7},
               {"Caf\xC3\xA9 \xF0\x9F\x98\x80 na\xC3\xAFve: \"quoted\"\n\ttabs", 4}};
  for (const auto& c : cases) {
    Request request;
    request.id = "p";
    request.prompt = std::make_shared<const std::string>(c.prompt);
    request.max_output_tokens = 16;
    const Answer by_server = ask(**server, request);
    const Answer by_engine = ask(**engine, request);
    ASSERT_TRUE(std::holds_alternative<Reply>(by_server)) << std::get<Failure>(by_server).detail;
    ASSERT_TRUE(std::holds_alternative<Reply>(by_engine)) << std::get<Failure>(by_engine).detail;
    const Reply& one = std::get<Reply>(by_server);
    const Reply& two = std::get<Reply>(by_engine);
    EXPECT_EQ(one.usage.input, two.usage.input);
    EXPECT_EQ((*server)->count_tokens(c.prompt, true).value(), two.usage.input);
    EXPECT_EQ(one.text.substr(0, c.same_bytes), two.text.substr(0, c.same_bytes));
    EXPECT_TRUE(c.same_bytes != std::string::npos || one.stop == two.stop);
  }
  const std::string too_long = needle_prompt(200, 100, "1");
  Request request;
  request.prompt = std::make_shared<const std::string>(too_long);
  request.max_output_tokens = 16;
  EXPECT_EQ(std::get<Failure>(ask(**server, request)).kind, FailureKind::kOverWindow);
  EXPECT_EQ(std::get<Failure>(ask(**engine, request)).kind, FailureKind::kOverWindow);

  // Chat with a continued answer, through the server's own template.
  Result<std::unique_ptr<Model>> chat =
      open_openai_model(server_options(process.url(), "chat"), "");
  ASSERT_TRUE(chat.has_value());
  ASSERT_EQ((*chat)->probe()->prefix_policy, PrefixPolicy::kContinue);
  request = {};
  request.messages = {{"user", "What is the capital of France?"}};
  request.answer_prefix = "The capital of";
  request.max_output_tokens = 8;
  const Answer continued = ask(**chat, request);
  ASSERT_TRUE(std::holds_alternative<Reply>(continued)) << std::get<Failure>(continued).detail;
  EXPECT_THAT(std::get<Reply>(continued).text, testing::StartsWith(" France is Paris"));
}

}  // namespace
}  // namespace fathom
