#include "lab/data/html_chart.h"

#include <fmt/format.h>

#include <array>

#include "base/xml_text.h"

namespace diffie::data {
namespace {

constexpr std::array<const char*, 3> kPartClass = {"kept", "recovered", "lost"};
constexpr std::array<const char*, 3> kPartName = {"kept by the paper's filter",
                                                  "recovered by alignment", "not aligned"};

std::array<std::size_t, 3> parts_of(const Share& share) {
  return {share.paper, share.recovered, share.lost};
}

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string bar(const Share& share) {
  std::string out = "<div class=\"bar\">";
  const std::array<std::size_t, 3> parts = parts_of(share);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == 0) continue;
    out += fmt::format("<span class=\"{}\" style=\"width:{:.2f}%\" title=\"{}: {} ({})\"></span>",
                       kPartClass[i], 100 * ratio(parts[i], share.total), kPartName[i],
                       with_thousands(parts[i]), percent(parts[i], share.total));
  }
  return out + "</div>";
}

}  // namespace

std::string with_thousands(std::size_t value) {
  std::string digits = std::to_string(value);
  for (std::ptrdiff_t at = std::ssize(digits) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits;
}

std::string percent(std::size_t part, std::size_t whole) {
  return fmt::format("{:.1f}\u00a0%", 100 * ratio(part, whole));
}

std::string_view report_style() {
  return R"css(
:root{color-scheme:light dark;--page:#fbfbf9;--card:#fff;--ink:#1d2430;--soft:#5b6472;--line:#e2e4e8;
--kept:#3b6fb6;--recovered:#2a9d8f;--lost:#c3c8d0;--s:#cfe3ff;--r:#ffe0b8;--o:#cdeed2;--si:#123e7a;--ri:#7a4300;--oi:#14532d}
@media (prefers-color-scheme:dark){:root{--page:#14171c;--card:#1c2027;--ink:#e6e9ee;--soft:#9aa4b2;--line:#2f353f;
--kept:#6ea3e8;--recovered:#4fc3b3;--lost:#4a515d;--s:#1d3b63;--r:#5a3a10;--o:#1f4a2c;--si:#cfe3ff;--ri:#ffe0b8;--oi:#cdeed2}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1060px;margin:0 auto;padding:40px 24px 80px}
h1{font-size:30px;line-height:1.2;margin:0 0 6px}
h2{font-size:21px;margin:52px 0 6px}
h3{font-size:15px;margin:0 0 8px}
p{max-width:76ch;margin:6px 0 14px}
.soft,.legend{color:var(--soft);font-size:14px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:14px;margin:24px 0 8px}
.tile,.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:16px 18px}
.tile b{display:block;font-size:28px;line-height:1.2;font-variant-numeric:tabular-nums}
.tile i{font-style:normal;color:var(--soft);font-size:14px}
table{border-collapse:collapse;width:100%;font-size:14.5px}
th{font-weight:600;color:var(--soft);text-align:right;padding:6px 10px;border-bottom:1px solid var(--line);white-space:nowrap}
td{padding:6px 10px;text-align:right;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;white-space:nowrap}
th:first-child,td:first-child{text-align:left;padding-left:0;white-space:normal;min-width:170px}
th.wide,td.wide{width:24%;padding-right:0}
td small{display:block;color:var(--soft);font-size:12.5px;line-height:1.35}
tr:last-child td{border-bottom:0}
.scroll{overflow-x:auto}
.bar{display:flex;height:14px;border-radius:3px;overflow:hidden;background:var(--line)}
.bar span{display:block;height:100%}
.kept{background:var(--kept)}.recovered{background:var(--recovered)}.lost{background:var(--lost)}
.legend span{display:inline-block;width:11px;height:11px;border-radius:2px;margin:0 6px 0 0}
.legend em{font-style:normal;margin-right:18px}
.example{border-top:1px solid var(--line);padding:12px 0}
.example:first-of-type{border-top:0}
.triple{font-size:14px;margin-bottom:4px}
.triple em{font-style:normal;color:var(--soft);float:right;font-size:12.5px}
mark{border-radius:3px;padding:1px 3px}
mark.S{background:var(--s);color:var(--si)}mark.R{background:var(--r);color:var(--ri)}mark.O{background:var(--o);color:var(--oi)}
.words{line-height:1.75}
)css";
}

std::string legend() {
  std::string out = "<p class=\"legend\">";
  for (std::size_t i = 0; i < kPartName.size(); ++i) {
    out += fmt::format("<span class=\"{}\"></span><em>{}</em>", kPartClass[i], kPartName[i]);
  }
  return out + "</p>\n";
}

std::string share_table(const Breakdown& breakdown) {
  std::string out =
      "<div class=\"scroll\"><table><tr><th></th><th>triples</th><th>paper keeps</th>"
      "<th>discards</th><th>kept</th><th>aligned</th><th class=\"wide\"></th></tr>\n";
  for (const Share& share : breakdown.shares) {
    const std::string note =
        share.note.empty() ? "" : fmt::format("<small>{}</small>", base::xml_text(share.note));
    out += fmt::format(
        "<tr><td>{}{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td class=\"wide\">{}</td></tr>\n",
        base::xml_text(share.name), note, with_thousands(share.total), with_thousands(share.paper),
        with_thousands(share.total - share.paper), percent(share.paper, share.total),
        percent(share.paper + share.recovered, share.total), bar(share));
  }
  return out + "</table></div>\n";
}

}  // namespace diffie::data
