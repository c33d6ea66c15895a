// Chat templates (G9): outputs of Python Jinja2 set up as Hugging Face does it
// (tests/oracles/chat_template_oracle.py), wraps, hostile templates.
#include "suite/chat_template.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <map>

#include "base/hash.h"
#include "io/file.h"
#include "io/json.h"
#include "io/jsonl.h"
#include "suite/template_source.h"

namespace fathom {
namespace {

const std::string kData = std::string(FATHOM_TEST_DATA) + "/chat_templates/";

struct Conversation {
  std::vector<TemplateMessage> messages;
  RenderOptions options;
};

std::map<std::string, Conversation> conversations() {
  std::map<std::string, Conversation> all;
  const Json cases = *parse_json(*read_file(kData + "cases.json"), "cases.json");
  for (const Json& each : cases) {
    Conversation& conversation = all[each["name"]];
    for (const Json& message : each["messages"]) {
      const std::string role = message["role"];
      conversation.messages.push_back({role == "system" ? MessageRole::kSystem
                                       : role == "user" ? MessageRole::kUser
                                                        : MessageRole::kAssistant,
                                       message["content"]});
    }
    conversation.options.add_generation_prompt = each.value("add_generation_prompt", true);
    if (!each.contains("variables")) continue;
    for (const auto& [name, value] : each["variables"].items()) {
      if (value.is_boolean()) {
        conversation.options.variables[name] = value.get<bool>();
      } else {
        conversation.options.variables[name] = value.get<std::string>();
      }
    }
  }
  return all;
}

Result<ChatTemplate> own(const std::string& text) {
  return ChatTemplate::from_source({text, "<s>", "</s>", {}, "test"});
}

std::string path_of(const std::string& name) {
  if (name.starts_with("own/")) return kData + name.substr(4);
  return std::string(FATHOM_DEPS_DIR) + "/" + name;
}

Result<ChatTemplate> load_golden(const std::string& name) {
  if (!name.starts_with("own/")) return ChatTemplate::load(path_of(name));
  TRY(const std::string text, read_file(path_of(name)));
  return own(text);
}

TEST(ChatTemplate, RendersAsPythonJinjaDoes) {
  const auto cases = conversations();
  std::map<std::string, Result<ChatTemplate>> loaded;
  std::map<std::string, int> compared;
  std::map<std::string, int> skipped;
  const auto done =
      for_each_line(kData + "golden.jsonl", [&](size_t number, std::string_view line) {
        const Json row = *parse_json(line, "golden.jsonl");
        const std::string name = row["template"];
        if (!file_exists(path_of(name)) && !is_directory(path_of(name))) {
          ++skipped[name];
          return Result<void>();
        }
        if (!loaded.contains(name)) loaded.emplace(name, load_golden(name));
        const auto& chat = loaded.at(name);
        EXPECT_TRUE(chat) << (chat ? "" : chat.error().message);
        if (!chat) return Result<void>();
        const Conversation& conversation = cases.at(row["case"]);
        const auto text = chat->render(conversation.messages, conversation.options);
        const std::string place =
            fmt::format("line {}: {} / {}", number, name, row["case"].get<std::string>());
        if (row.contains("refused")) {
          EXPECT_FALSE(text) << place << "\n" << *text;
        } else if (!text) {
          ADD_FAILURE() << place << ": " << text.error().message;
        } else if (row.contains("output")) {
          EXPECT_EQ(*text, row["output"].get<std::string>()) << place;
        } else {
          EXPECT_EQ(sha256_hex(*text), row["sha256"].get<std::string>()) << place << "\n" << *text;
        }
        ++compared[name];
        return Result<void>();
      });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_GE(compared.size(), 5U);
  for (const auto& [name, count] : skipped) {
    std::cout << "skipped " << count << " outputs: " << path_of(name)
              << " is missing (./dev setup)\n";
  }
}

TEST(ChatTemplate, WrapsTheUsersText) {
  const auto chat = own(*read_file(kData + "plain.jinja"));
  ASSERT_TRUE(chat) << chat.error().message;
  const auto wrap = chat->wrap({{MessageRole::kSystem, "Be brief."}}, {});
  ASSERT_TRUE(wrap) << wrap.error().message;
  EXPECT_EQ(wrap->before, "<|system|>\nBe brief.</s>\n<|user|>\n");
  EXPECT_EQ(wrap->after, "</s>\n<|assistant|>\n");
  EXPECT_FALSE(wrap->writes_bos);
  EXPECT_FALSE(wrap->trims_start);
  EXPECT_FALSE(wrap->trims_end);
  EXPECT_EQ(wrap->content(" a \n"), " a \n");
  ASSERT_EQ(wrap->prior.size(), 1U);
  EXPECT_EQ(wrap->before.substr(wrap->prior[0].bytes.begin,
                                wrap->prior[0].bytes.end - wrap->prior[0].bytes.begin),
            "Be brief.");
}

TEST(ChatTemplate, WrapKnowsTrimmingAndBos) {
  const auto chat = own(*read_file(kData + "trimming.jinja"));
  ASSERT_TRUE(chat) << chat.error().message;
  const auto wrap = chat->wrap({}, {});
  ASSERT_TRUE(wrap) << wrap.error().message;
  EXPECT_EQ(wrap->before, "<s>[USER] ");
  EXPECT_EQ(wrap->after, " [ASSISTANT]");
  EXPECT_TRUE(wrap->writes_bos);
  EXPECT_TRUE(wrap->trims_start);
  EXPECT_TRUE(wrap->trims_end);
  EXPECT_EQ(wrap->content("\n a b\t\r\n"), "a b");
}

TEST(ChatTemplate, WrapsOfRealModelsRenderTheSameText) {
  int tried = 0;
  for (const char* name : {"tokenizers/llama3_1", "tokenizers/qwen3", "tokenizers/gemma3",
                           "tokenizers/deepseek_v3", "models/smollm2.gguf"}) {
    if (!std::filesystem::exists(path_of(name))) {
      std::cout << "skipped: " << path_of(name) << " is missing (./dev setup)\n";
      continue;
    }
    ++tried;
    const auto chat = ChatTemplate::load(path_of(name));
    ASSERT_TRUE(chat) << chat.error().message;
    const auto wrap = chat->wrap({}, {});
    ASSERT_TRUE(wrap) << name << ": " << wrap.error().message;
    const std::string content = "Some text.\nA question?";
    EXPECT_EQ(*chat->render({{MessageRole::kUser, content}}, {}),
              wrap->before + content + wrap->after)
        << name;
    EXPECT_EQ(wrap->writes_bos, std::string(name) != "tokenizers/qwen3") << name;
  }
  if (tried == 0) GTEST_SKIP() << "nothing fetched in " << FATHOM_DEPS_DIR;
}

TEST(ChatTemplate, DatesAreFixed) {
  const auto chat = own("{{ strftime_now('%Y-%m-%d') }}");
  ASSERT_TRUE(chat);
  EXPECT_EQ(*chat->render({}, {}), "2026-01-01");
  EXPECT_EQ(*chat->render({}, {.date = "2024-07-26"}), "2024-07-26");
  EXPECT_FALSE(chat->render({}, {.date = "26.7.2024"}));
  EXPECT_FALSE(chat->render({}, {.date = "2024-13-01"}));
}

TEST(ChatTemplate, RaisedMessagesAreNamed) {
  const auto chat = own(
      "{% if messages|length > 1 %}{{ raise_exception('only one message, please') }}{% endif %}x");
  ASSERT_TRUE(chat);
  const auto text = chat->render({{MessageRole::kUser, "a"}, {MessageRole::kUser, "b"}}, {});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kInput);
  EXPECT_NE(text.error().message.find("test: chat template cannot be rendered: "),
            std::string::npos);
  EXPECT_NE(text.error().message.find("it refuses: only one message, please"), std::string::npos)
      << text.error().message;
}

struct BadTemplate {
  const char* name;
  std::string text;
};

class ChatTemplateBroken : public testing::TestWithParam<BadTemplate> {};

TEST_P(ChatTemplateBroken, IsRefusedWhenLoaded) {
  const auto chat = own(GetParam().text);
  ASSERT_FALSE(chat);
  EXPECT_EQ(chat.error().code, ErrorCode::kInput);
  EXPECT_TRUE(chat.error().message.starts_with("test: chat template")) << chat.error().message;
  EXPECT_EQ(chat.error().message.find('\n'), std::string::npos) << chat.error().message;
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    Table, ChatTemplateBroken,
    testing::Values(
        BadTemplate{"open_block", "{% if x %}"}, BadTemplate{"open_expression", "{{ x"},
        BadTemplate{"unknown_tag", "{% frobnicate %}"}, BadTemplate{"bad_operator", "{{ 1 + }}"},
        BadTemplate{"open_string", "{{ 'abc }}"}, BadTemplate{"huge", std::string(600 << 10, 'x')},
        BadTemplate{"deep_brackets",
                    "{{ " + repeated("(", 5000) + "1" + repeated(")", 5000) + " }}"},
        BadTemplate{"deep_lists", "{{ " + repeated("[", 300) + repeated("]", 300) + " }}"},
        BadTemplate{"deep_blocks", repeated("{% if true %}", 3000) + repeated("{% endif %}", 3000)},
        BadTemplate{"long_chain", "{{ 1" + repeated(" + 1", 20000) + " }}"}),
    [](const auto& param) { return std::string(param.param.name); });

class ChatTemplateHostile : public testing::TestWithParam<BadTemplate> {};

TEST_P(ChatTemplateHostile, EndsWithAnError) {  // Q1
  const auto chat = own(GetParam().text);
  ASSERT_TRUE(chat) << chat.error().message;
  const auto text = chat->render({{MessageRole::kUser, "hello"}}, {});
  ASSERT_FALSE(text) << text->substr(0, 100);
  EXPECT_EQ(text.error().code, ErrorCode::kInput);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ChatTemplateHostile,
    testing::Values(
        BadTemplate{"big_range", "{% for i in range(1000000000000) %}x{% endfor %}"},
        BadTemplate{"range_by_name", "{% set r = range %}{% for i in r(10000000) %}x{% endfor %}"},
        BadTemplate{"nested_loops",
                    "{% for a in range(90000) %}{% for b in range(90000) %}{% for c in "
                    "range(90000) %}x{% endfor %}{% endfor %}{% endfor %}"},
        BadTemplate{
            "empty_loops",
            "{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}"},
        BadTemplate{"recursion", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"},
        BadTemplate{"two_macros",
                    "{% macro f() %}{{ g() }}{% endmacro %}{% macro g() %}{{ f() }}{% endmacro "
                    "%}{{ f() }}"},
        BadTemplate{"doubling",
                    "{% set ns = namespace(x='aaaaaaaaaa') %}{% for i in range(60) %}{% set ns.x = "
                    "ns.x ~ ns.x %}{% endfor %}{{ ns.x }}"},
        BadTemplate{"doubling_empty",
                    "{% set ns = namespace(x='') %}{% for i in range(60) %}{% set ns.x = ns.x + "
                    "ns.x %}{% endfor %}{{ ns.x }}"},
        BadTemplate{"repetition", "{{ 'x' * 100000000000 }}"},
        BadTemplate{"replace_squares",
                    "{% set ns = namespace(x='aaaaaaaa') %}{% for i in range(9) %}{% set ns.x = "
                    "ns.x | replace('a', ns.x) %}{% endfor %}{{ ns.x }}"},
        BadTemplate{"replace_method",
                    "{% set ns = namespace(x='aaaaaaaa') %}{% for i in range(9) %}{% set ns.x = "
                    "ns.x.replace('a', ns.x) %}{% endfor %}{{ ns.x }}"},
        BadTemplate{"wide_indent", "{{ 'a\nb\nc' | indent(100000000000) }}"},
        BadTemplate{"doubling_list",
                    "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + "
                    "ns.x %}{% endfor %}{{ ns.x | length }}"},
        BadTemplate{"nested_list",
                    "{% set ns = namespace(x=[1, 2]) %}{% for i in range(60) %}{% set ns.x = "
                    "[ns.x, ns.x] %}{% endfor %}{{ ns.x | tojson }}"},
        BadTemplate{"holds_itself",
                    "{% set ns = namespace(x=1) %}{% set ns.me = ns %}{{ ns | tojson }}"},
        BadTemplate{"list_holds_itself",
                    "{% set x = [1] %}{% set y = x.append(x) %}{{ x | tojson }}"},
        BadTemplate{"list_holds_itself_by_filter",
                    "{% set x = [1] %}{% set y = x | append(x) %}{{ x | tojson }}"},
        BadTemplate{"holds_itself_deep_below",
                    "{% set ns = namespace(x=namespace(y=1)) %}{% set ns.x.y = [ns] %}{{ ns }}"},
        BadTemplate{"join",
                    "{% set ns = namespace(s='aaaaaaaaaa') %}{% for i in range(12) %}{% set ns.s = "
                    "ns.s ~ ns.s %}{% endfor %}{{ range(90000) | list | join(ns.s) }}"},
        BadTemplate{"call_block",
                    "{% macro f() %}{% call f() %}x{% endcall %}{% endmacro %}{{ f() }}"},
        BadTemplate{
            "call_replace",
            "{% set s = 'aaaa' %}{% set r = s.replace %}{% call r('a', s) %}x{% endcall %}"},
        BadTemplate{"unknown_function", "{{ nothing_like_it(1) }}"},
        BadTemplate{"division", "{{ messages[0].content / 0 }}"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(ChatTemplateLimits, LongConversationsAreNoAttack) {
  const auto chat = own(*read_file(kData + "macros.jinja"));
  ASSERT_TRUE(chat);
  std::vector<TemplateMessage> messages;
  for (int i = 0; i < 300; ++i) messages.push_back({MessageRole::kUser, std::string(200, 'x')});
  const auto text = chat->render(messages, {});
  ASSERT_TRUE(text) << text.error().message;
  const std::string prompt(2 << 20, 'p');
  const auto long_prompt = chat->render({{MessageRole::kUser, prompt}}, {});
  ASSERT_TRUE(long_prompt) << long_prompt.error().message;
  EXPECT_GT(long_prompt->size(), prompt.size());
}

struct BadWrap {
  const char* text;
  const char* message;
};

class ChatTemplateWrapErrors : public testing::TestWithParam<BadWrap> {};

TEST_P(ChatTemplateWrapErrors, AreNamed) {
  const auto chat = own(GetParam().text);
  ASSERT_TRUE(chat) << chat.error().message;
  const auto wrap = chat->wrap({}, {});
  ASSERT_FALSE(wrap);
  EXPECT_NE(wrap.error().message.find(GetParam().message), std::string::npos)
      << wrap.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Table, ChatTemplateWrapErrors,
    testing::Values(
        BadWrap{"fixed text", "changes the user's text"},
        BadWrap{"{{ messages[0].content | upper }}", "changes the user's text"},
        BadWrap{"{{ messages[0].content }}{{ messages[0].content }}", "repeats the user's text"},
        BadWrap{"{{ messages[0].content | length }} {{ messages[0].content }}",
                "depends on the message"},
        BadWrap{"{{ messages[0].content | replace('<', '&lt;') }}", "depends on the message"}));

TEST(TemplateSources, ConfigForms) {
  const auto text = template_from_config(
      R"({"chat_template": "T", "bos_token": "<b>", "eos_token": {"content": "<e>"}, "pad_token": null, "unk_token": "<u>"})",
      "", "c");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->text, "T");
  EXPECT_EQ(text->bos_token, "<b>");
  EXPECT_EQ(text->eos_token, "<e>");
  EXPECT_EQ(text->other_tokens, (std::map<std::string, std::string>{{"unk_token", "<u>"}}));
  const std::string list =
      R"({"chat_template": [{"name": "default", "template": "D"}, {"name": "rag", "template": "R"}]})";
  EXPECT_EQ(template_from_config(list, "", "c")->text, "D");
  EXPECT_EQ(template_from_config(list, "rag", "c")->text, "R");
  EXPECT_EQ(template_from_config(list, "tool", "c").error().message,
            "c: no chat template named 'tool'; it has default, rag");
}

TEST(TemplateSources, BadConfigs) {
  for (const char* json :
       {"", "[]", "{", "{}", R"({"chat_template": null})", R"({"chat_template": 5})",
        R"({"chat_template": []})", R"({"chat_template": [{"name": "default"}]})",
        R"({"chat_template": ["x"]})"}) {
    const auto source = template_from_config(json, "", "c.json");
    ASSERT_FALSE(source) << json;
    EXPECT_EQ(source.error().code, ErrorCode::kInput) << json;
    EXPECT_NE(source.error().message.find("c.json"), std::string::npos) << source.error().message;
  }
  EXPECT_EQ(ChatTemplate::load("/no/such/file.jinja").error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace fathom
