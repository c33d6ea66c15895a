// V2, Q2: the page made of its data.
#include "report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/json.h"
#include "results/run_description.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kTemplate =
    "<html><script id=\"fathom-data\" "
    "type=\"application/json\">/*FATHOM-PAGE-DATA*/</script></html>";

std::string data_of(const std::string& page) {
  const size_t begin = page.find('{');
  return page.substr(begin, page.rfind("</script>") - begin);
}

// Q2: nothing that a model wrote is markup.
TEST(Page, KeepsHostileTextAsText) {
  const std::string hostile =
      "</script><script>alert(1)</script><!-- ]]> & \xE2\x80\xA8\xE2\x80\xA9 \xE2\x80\xA6 \" \\ "
      "\x01";
  const std::string json = to_json_line(Json{{"answer", hostile}});
  const auto page = render_page(kTemplate, json);
  ASSERT_TRUE(page) << page.error().message;
  const std::string data = data_of(*page);
  for (const char* raw : {"<", ">", "&", "\xE2\x80\xA8", "\xE2\x80\xA9"})
    EXPECT_THAT(data, Not(HasSubstr(raw)));
  EXPECT_EQ((*parse_json(data, "page"))["answer"], hostile);
}

TEST(Page, EscapesAtEveryPlace) {
  EXPECT_EQ(escape_json_for_html(""), "");
  EXPECT_EQ(escape_json_for_html("<"), "\\u003c");
  EXPECT_EQ(escape_json_for_html("a<b>c&"), "a\\u003cb\\u003ec\\u0026");
  EXPECT_EQ(escape_json_for_html("\xE2\x80\xA8x\xE2\x80\xA9"), "\\u2028x\\u2029");
  EXPECT_EQ(escape_json_for_html("\xE2\x80"), "\xE2\x80");
  EXPECT_EQ(escape_json_for_html("\xE2<"), "\xE2\\u003c");
}

TEST(Page, RefusesATemplateWithoutOneMarker) {
  EXPECT_THAT(render_page("<html></html>", "{}").error().message, HasSubstr("missing"));
  const std::string twice = std::string(kTemplate) + std::string(kTemplate);
  EXPECT_THAT(render_page(twice, "{}").error().message, HasSubstr("twice"));
}

TEST(ShellQuoted, GivesOneWord) {
  EXPECT_EQ(shell_quoted("data/a-b_c.json"), "data/a-b_c.json");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("niah[keys=4]:1:0"), "'niah[keys=4]:1:0'");
  EXPECT_EQ(shell_quoted("it's $(x)"), "'it'\\''s $(x)'");
}

}  // namespace
}  // namespace fathom
