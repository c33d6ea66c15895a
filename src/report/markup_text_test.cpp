// Q2: untrusted text stays text in every format.
#include "report/markup_text.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

TEST(MarkupText, EscapesForEachFormat) {
  struct Row {
    std::string text, csv, markdown, xml;
  };
  const std::vector<Row> rows = {
      {"plain", "plain", "plain", "plain"},
      {"a,b", "\"a,b\"", "a,b", "a,b"},
      {"say \"x\"", "\"say \"\"x\"\"\"", "say \"x\"", "say &quot;x&quot;"},
      {"two\nlines", "\"two\nlines\"", "two lines", "two lines"},
      {"a|b*c_d", "a|b*c_d", "a\\|b\\*c\\_d", "a|b*c_d"},
      {"<b>&'", "<b>&'", "\\<b\\>\\&'", "&lt;b&gt;&amp;&apos;"},
      {"]]>", "]]>", "\\]\\]\\>", "]]&gt;"},
      {"vt[hops=4]", "vt[hops=4]", "vt\\[hops=4\\]", "vt[hops=4]"},
      {"東京", "東京", "東京", "東京"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(csv_text(row.text), row.csv);
    EXPECT_EQ(markdown_text(row.text), row.markdown);
    EXPECT_EQ(xml_text(row.text), row.xml);
  }
}

TEST(MarkupText, HoldsNothingThatXmlForbids) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  for (const char byte : xml_text(all)) {
    const auto value = static_cast<unsigned char>(byte);
    EXPECT_GE(value, 0x20) << "control byte";
    EXPECT_NE(byte, '<');
    EXPECT_NE(byte, '"');
  }
}

}  // namespace
}  // namespace fathom
