// Server-sent events (R1): the same events whatever the network cuts, and nothing grows without
// end.
#include "model/sse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fathom {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

constexpr size_t kRoomy = 1 << 20;

std::vector<std::string> events_of(const std::vector<std::string_view>& parts, bool* fits = nullptr,
                                   size_t most = kRoomy) {
  SseParser parser(most);
  std::vector<std::string> events;
  bool all = true;
  for (const std::string_view part : parts)
    all = parser.feed(part, [&](std::string_view data) { events.emplace_back(data); }) && all;
  if (fits != nullptr) *fits = all;
  return events;
}

struct Case {
  const char* name;
  std::string bytes;
  std::vector<std::string> events;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"one event", "data: a\n\n", {"a"}},
      {"no space behind the colon", "data:a\n\n", {"a"}},
      {"two spaces keep one", "data:  a\n\n", {" a"}},
      {"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", {"a", "b"}},
      {"CR alone", "data: a\r\rdata: b\r\r", {"a", "b"}},
      {"mixed line ends", "data: a\r\ndata: b\n\rdata: c\n\n", {"a\nb", "c"}},
      {"several data lines", "data: a\ndata: b\n\n", {"a\nb"}},
      {"data without a value", "data\n\n", {""}},
      {"data with an empty value", "data:\ndata:\n\n", {"\n"}},
      {"comments are pings", ": ping\n\n:\n\ndata: a\n\n: ping\n\n", {"a"}},
      {"other fields", "event: message\nid: 7\nretry: 10\ndata: a\n\nevent: none\n\n", {"a"}},
      {"a field that begins like data", "database: x\n\n", {}},
      {"byte order mark",
       "\xEF\xBB\xBF"
       "data: a\n\n",
       {"a"}},
      {"byte order mark only at the start",
       "data: a\n\n\xEF\xBB\xBF"
       "data: b\n\n",
       {"a"}},
      {"an unfinished event is none", "data: a\n\ndata: b\n", {"a"}},
      {"no events", "hello\nworld\n\n", {}},
      {"UTF-8", "data: \xE4\xBD\xA0\xF0\x9F\x98\x80\n\n", {"\xE4\xBD\xA0\xF0\x9F\x98\x80"}},
      {"null byte", std::string("data: a\0b\n\n", 11), {std::string("a\0b", 3)}},
      {"blank lines alone", "\n\n\r\n\r\r\n", {}},
  };
  return all;
}

TEST(SseParser, ReadsTheForms) {
  for (const Case& c : cases())
    EXPECT_THAT(events_of({c.bytes}), ElementsAreArray(c.events)) << c.name;
}

TEST(SseParser, IsTheSameCutAtEveryByte) {
  for (const Case& c : cases()) {
    const std::string_view bytes = c.bytes;
    for (size_t cut = 0; cut <= bytes.size(); ++cut)
      EXPECT_THAT(events_of({bytes.substr(0, cut), bytes.substr(cut)}), ElementsAreArray(c.events))
          << c.name << " cut at " << cut;
    std::vector<std::string_view> single;
    for (size_t i = 0; i < bytes.size(); ++i) single.push_back(bytes.substr(i, 1));
    EXPECT_THAT(events_of(single), ElementsAreArray(c.events)) << c.name << " byte by byte";
  }
}

TEST(SseParser, RefusesLinesAndEventsWithoutEnd) {
  constexpr size_t kMost = 100;
  bool fits = true;
  EXPECT_THAT(events_of({"data: " + std::string(200, 'x')}, &fits, kMost), ElementsAre());
  EXPECT_FALSE(fits) << "a line";

  std::string many;
  for (int i = 0; i < 50; ++i) many += "data: 0123456789\n";
  EXPECT_THAT(events_of({many, "\n"}, &fits, kMost), ElementsAre());
  EXPECT_FALSE(fits) << "an event of many lines";

  std::string fine;
  for (int i = 0; i < 50; ++i) fine += "data: 0123456789\n\n";
  EXPECT_EQ(events_of({fine}, &fits, kMost).size(), 50U);
  EXPECT_TRUE(fits) << "many events";
}

TEST(SseParser, KnowsWhenAnEventIsUnfinished) {
  SseParser parser(kRoomy);
  const auto ignore = [](std::string_view) {};
  EXPECT_FALSE(parser.in_event());
  EXPECT_TRUE(parser.feed("data: a", ignore));
  EXPECT_TRUE(parser.in_event());
  EXPECT_TRUE(parser.feed("\n", ignore));
  EXPECT_TRUE(parser.in_event());
  EXPECT_TRUE(parser.feed("\n", ignore));
  EXPECT_FALSE(parser.in_event());
}

}  // namespace
}  // namespace fathom
