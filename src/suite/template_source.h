// Where chat templates come from: GGUF metadata, tokenizer_config.json, Jinja files.
#pragma once

#include <string>

#include "base/result.h"
#include "suite/chat_template.h"

namespace fathom {

// As ChatTemplate::load(), without parsing the template.
[[nodiscard]] Result<TemplateSource> read_template_source(const std::string& path,
                                                          const std::string& name);

// `where` names the source in errors.
[[nodiscard]] Result<TemplateSource> template_from_config(const std::string& json,
                                                          const std::string& name,
                                                          const std::string& where);

}  // namespace fathom
