#include "report/page.h"

#include "io/embedded.h"

namespace fathom {
namespace {

constexpr std::string_view kPageName = "report/page.html";
constexpr std::string_view kLineSeparator = "\xE2\x80\xA8";       // U+2028
constexpr std::string_view kParagraphSeparator = "\xE2\x80\xA9";  // U+2029

}  // namespace

std::string escape_json_for_html(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  size_t done = 0;
  for (size_t i = 0; i < json.size(); ++i) {
    std::string_view replacement;
    size_t size = 1;
    switch (json[i]) {
      case '<':
        replacement = "\\u003c";
        break;
      case '>':
        replacement = "\\u003e";
        break;
      case '&':
        replacement = "\\u0026";
        break;
      case '\xE2':
        size = 3;
        if (json.substr(i, 3) == kLineSeparator) replacement = "\\u2028";
        if (json.substr(i, 3) == kParagraphSeparator) replacement = "\\u2029";
        break;
      default:
        break;
    }
    if (replacement.empty()) continue;
    out.append(json.substr(done, i - done));
    out.append(replacement);
    done = i + size;
    i = done - 1;
  }
  out.append(json.substr(done));
  return out;
}

Result<std::string> render_page(std::string_view page_template, std::string_view json) {
  const size_t at = page_template.find(kPageDataMarker);
  if (at == std::string_view::npos)
    return fail(ErrorCode::kInternal, "page template: the marker {} is missing", kPageDataMarker);
  const size_t behind = at + kPageDataMarker.size();
  if (page_template.find(kPageDataMarker, behind) != std::string_view::npos)
    return fail(ErrorCode::kInternal, "page template: the marker {} occurs twice", kPageDataMarker);
  std::string page(page_template.substr(0, at));
  page += escape_json_for_html(json);
  page += page_template.substr(behind);
  return page;
}

Result<std::string> render_page(std::string_view json) {
  const auto page_template = embedded_file(kPageName);
  if (!page_template)
    return fail(ErrorCode::kInternal,
                "the report page is not in this program: build it with ./dev build");
  return render_page(*page_template, json);
}

}  // namespace fathom
