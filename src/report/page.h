// report.html: the page template of web/ with the data put in. One file, no network.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

// Where the template wants the data: the whole content of <script id="fathom-data"
// type="application/json">.
inline constexpr std::string_view kPageDataMarker = "/*FATHOM-PAGE-DATA*/";

// `json` so escaped that no HTML parser sees markup in it and any JSON parser reads the same value:
// < > & U+2028 U+2029 become \uXXXX.
[[nodiscard]] std::string escape_json_for_html(std::string_view json);

// Puts the data into a template. Errors: the marker is missing or occurs twice.
[[nodiscard]] Result<std::string> render_page(std::string_view page_template,
                                              std::string_view json);

// The embedded template ("report/page.html") with the data. Errors: the program was built without
// it.
[[nodiscard]] Result<std::string> render_page(std::string_view json);

}  // namespace fathom
