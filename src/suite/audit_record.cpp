#include "suite/audit_record.h"

#include "io/file.h"
#include "io/json.h"

namespace fathom {
namespace {

constexpr int64_t kAuditVersion = 1;

std::string audit_file(const std::string& dataset) { return dataset + "/audit.json"; }

}  // namespace

Result<void> write_audit_record(const std::string& dataset, const AuditRecord& record) {
  const Json json = {{"fathom_audit", kAuditVersion},
                     {"samples_hash", record.samples_hash},
                     {"samples", record.samples},
                     {"breaches", record.breaches},
                     {"fathom", record.fathom_version}};
  return write_file_atomic(audit_file(dataset), to_pretty_json(json));
}

Result<std::optional<AuditRecord>> read_audit_record(const std::string& dataset) {
  const std::string path = audit_file(dataset);
  if (!file_exists(path)) return std::optional<AuditRecord>();
  TRY(const std::string text, read_file(path));
  TRY(const Json json, parse_json(text, path));
  TRY(const JsonReader reader, JsonReader::of(json, path));
  TRY(const int64_t version, reader.integer("fathom_audit"));
  if (version != kAuditVersion)
    return fail(ErrorCode::kInput, "{}: version {} is not one that this fathom reads", path,
                version);
  AuditRecord record;
  TRY(record.samples_hash, reader.text("samples_hash"));
  TRY(record.samples, reader.integer("samples"));
  TRY(record.breaches, reader.integer("breaches"));
  TRY(record.fathom_version, reader.text("fathom"));
  return record;
}

}  // namespace fathom
