// Normal forms: known cases, properties over every character, and linear time on hostile marks.
#include "text/normal_forms.h"

#include <gtest/gtest.h>
#include <utf8proc.h>

#include <cstdlib>

#include "text/utf8.h"

namespace fathom {
namespace {

// utf8proc's whole-string function as a second opinion.
std::string reference(NormalForm form, const std::string& text) {
  int options = UTF8PROC_STABLE;
  options |=
      form == NormalForm::kNfc || form == NormalForm::kNfkc ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE;
  options |= form == NormalForm::kNfkc || form == NormalForm::kNfkd ? UTF8PROC_COMPAT : 0;
  utf8proc_uint8_t* out = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 std::ssize(text), &out, static_cast<utf8proc_option_t>(options));
  EXPECT_GE(size, 0);
  std::string normal(reinterpret_cast<const char*>(out), static_cast<size_t>(size));
  std::free(out);
  return normal;
}

constexpr NormalForm kForms[] = {NormalForm::kNfc, NormalForm::kNfd, NormalForm::kNfkc,
                                 NormalForm::kNfkd};

TEST(NormalForms, KnownTexts) {
  struct Case {
    NormalForm form;
    const char* text;
    const char* normal;
  };
  const Case cases[] = {
      {NormalForm::kNfc, "", ""},
      {NormalForm::kNfc, "plain", "plain"},
      {NormalForm::kNfc, "e\u0301", "é"},
      {NormalForm::kNfc, "xe\u0301\u0316y", "x\u00e9\u0316y"},
      {NormalForm::kNfc, "\u1112\u1161\u11ab", "한"},
      {NormalForm::kNfc, "\uD558\u11ab", "한"},
      {NormalForm::kNfc, "\u212B", "\u00C5"},
      {NormalForm::kNfd, "é", "e\u0301"},
      {NormalForm::kNfd, "한", "\u1112\u1161\u11ab"},
      {NormalForm::kNfkc, "ﬁ①½", "fi11\u20442"},
      {NormalForm::kNfkd, "ﬁ①", "fi1"},
  };
  for (const Case& c : cases) EXPECT_EQ(normalize(c.form, c.text), c.normal) << c.text;
}

TEST(NormalForms, EveryCharacterAloneAndBetweenMarksAsUtf8procHasIt) {
  for (const NormalForm form : kForms) {
    for (char32_t c = 1; c < 0x110000; c += c < 0x30000 ? 1 : 977) {
      if (c >= 0xD800 && c < 0xE000) continue;
      std::string text;
      append_utf8(text, c);
      const std::string between = "a\u0301" + text + "\u0316\u0323" + text;
      ASSERT_EQ(normalize(form, text), reference(form, text))
          << std::hex << static_cast<uint32_t>(c);
      ASSERT_EQ(normalize(form, between), reference(form, between))
          << std::hex << static_cast<uint32_t>(c);
    }
  }
}

TEST(NormalForms, ChangesAreInOrderAndRealChanges) {
  const std::string text = "ae\u0301 ok \u212B\u212B x\u0316\u0301 end";
  size_t last = 0;
  for_each_change(NormalForm::kNfc, text, [&](size_t begin, size_t end, std::string_view normal) {
    EXPECT_LE(last, begin);
    EXPECT_LT(begin, end);
    EXPECT_NE(normal, text.substr(begin, end - begin));
    last = end;
  });
  EXPECT_GT(last, 0U);
}

TEST(NormalForms, CharactersNewerThanTheTablesStay) {
  const std::string text = "t\u0EBA\u0334";  // U+0EBA got its combining class in Unicode 12
  size_t changes = 0;
  for_each_change(
      NormalForm::kNfc, text, [&](size_t, size_t, std::string_view) { ++changes; },
      UnicodeTables::kVersion9);
  EXPECT_EQ(changes, 0U);
  EXPECT_EQ(normalize(NormalForm::kNfc, text), "t\u0334\u0EBA");
}

TEST(NormalForms, AMegabyteOfMarksIsSortedInTime) {
  std::string text = "a";
  for (int i = 0; i < 200'000; ++i) text += i % 2 == 0 ? "\u0301" : "\u0316";
  const std::string normal = normalize(NormalForm::kNfd, text);
  ASSERT_EQ(normal.size(), text.size());
  EXPECT_EQ(normal.substr(1, 4), "\u0316\u0316");
  EXPECT_EQ(normal.substr(normal.size() - 4), "\u0301\u0301");
}

TEST(Utf8, InvalidPartsAreReplacedOneByOne) {
  const std::pair<std::string, std::string> cases[] = {
      {"ok é 中 😀", "ok é 中 😀"},
      {"\xFF", "\uFFFD"},
      {"a\xC3", "a\uFFFD"},
      {"\xE4\xB8", "\uFFFD"},
      {"\xE4\xB8x", "\uFFFDx"},
      {"\xC0\x80", "\uFFFD\uFFFD"},
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
      {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"\xF0\x9F\x98", "\uFFFD"},
      {std::string("\0", 1), std::string("\0", 1)}};
  for (const auto& [bytes, repaired] : cases) {
    EXPECT_EQ(repair_utf8(bytes), repaired);
    EXPECT_EQ(is_valid_utf8(bytes), bytes == repaired);
  }
}

}  // namespace
}  // namespace fathom
