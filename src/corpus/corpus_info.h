// Where a corpus came from, for the manifest of a dataset.
#pragma once

#include <string>

namespace fathom {

struct CorpusInfo {
  std::string name;     // "essay", "words", "squad", "hotpotqa", "encyclopaedia"
  std::string source;   // the path given, or "fathom"
  std::string hash;     // of what samples are made from: equal hashes give equal samples
  std::string licence;  // one line: whose text it is and on what terms

  bool operator==(const CorpusInfo&) const = default;
};

}  // namespace fathom
