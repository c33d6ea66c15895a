// Everything that makes a suite's samples, opened and identified: tokenizer, chat template,
// wording, corpora.
//
//   TRY(const SampleFactory factory, open_factory(suite, {.tokenizer = "tokenizer.json"}));
//   TRY(const Sample sample, factory.make(slot));
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "suite/dataset.h"
#include "suite/manifest.h"
#include "suite/suite.h"
#include "tokenizer/tokenizer.h"

namespace fathom {

struct FactorySources {
  std::string tokenizer;      // path, as load_tokenizer() takes it
  std::string chat_template;  // where the model's own template is, for suites that ask for "model":
                              // a GGUF, a folder, a tokenizer_config.json or a Jinja file; empty:
                              // looked for at the tokenizer's place
};

// Thread-safe; cheap to copy.
struct SampleFactory {
  Recipe recipe;  // what was opened, by hash: equal recipes make equal samples
  std::shared_ptr<const Tokenizer> tokenizer;
  MakeSample make;
};

// Errors: those of the loaders, and kUsage where a source that is needed is not given.
[[nodiscard]] Result<SampleFactory> open_factory(const Suite& suite, const FactorySources& sources);

// Opens the sources that a recipe names; `tokenizer` says where the tokenizer is now, if it has
// moved. Errors: as above; kInput where one of them is not what it was, naming it.
[[nodiscard]] Result<SampleFactory> open_factory(const Recipe& recipe,
                                                 const std::string& tokenizer = "");

}  // namespace fathom
