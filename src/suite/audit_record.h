// audit.json beside a dataset's manifest: that its samples were audited, and how it ended
// (docs/formats/dataset.md, "audit.json"). Gates with the rule `audited` ask for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace fathom {

struct AuditRecord {
  std::string samples_hash;  // of the manifest that was audited
  int64_t samples = 0;
  int64_t breaches = 0;
  std::string fathom_version;
  bool operator==(const AuditRecord&) const = default;
};

[[nodiscard]] Result<void> write_audit_record(const std::string& dataset,
                                              const AuditRecord& record);
// None where the dataset has no audit.json. Errors: kIo; kInput naming file and key.
[[nodiscard]] Result<std::optional<AuditRecord>> read_audit_record(const std::string& dataset);

}  // namespace fathom
