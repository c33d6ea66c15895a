// S5, G11: what an audit leaves beside a dataset.
#include "suite/audit_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "io/file.h"

namespace fathom {
namespace {

TEST(AuditRecord, RoundTripsAndNamesWhatIsWrong) {
  const std::string folder = testing::TempDir() + "audited";
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(make_directories(folder));
  const auto none = read_audit_record(folder);
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->has_value());
  const AuditRecord record{
      .samples_hash = "14d6", .samples = 12, .breaches = 2, .fathom_version = "0.1.0"};
  ASSERT_TRUE(write_audit_record(folder, record));
  EXPECT_EQ(read_audit_record(folder).value(), record);
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {{"{", "audit.json"},
                        {R"({"fathom_audit": 2})", "version 2"},
                        {R"({"fathom_audit": 1, "samples_hash": 5})", "samples_hash"},
                        {R"({"fathom_audit": 1, "samples_hash": "a", "samples": 1})", "breaches"}};
  for (const Case& each : cases) {
    ASSERT_TRUE(write_file_atomic(folder + "/audit.json", each.text));
    const auto read = read_audit_record(folder);
    ASSERT_FALSE(read) << each.text;
    EXPECT_EQ(read.error().code, ErrorCode::kInput);
    EXPECT_THAT(read.error().message, testing::HasSubstr(each.message));
  }
}

}  // namespace
}  // namespace fathom
