#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "base/xml_text.h"
#include "diffie/lab/data.h"
#include "files/atomic_file.h"
#include "lab/data/audit.h"
#include "lab/data/html_chart.h"
#include "text/white_space.h"

namespace diffie::data {
namespace {

constexpr const char* kSpace = "<div style=\"height:16px\"></div>\n";

std::string tile(std::size_t value, const std::string& what) {
  return fmt::format("<div class=\"tile\"><b>{}</b><i>{}</i></div>\n", with_thousands(value), what);
}

std::string header(std::span<const Row> rows, std::span<const Outcome> outcomes,
                   const ReportOptions& options) {
  Share all;
  for (const Outcome& outcome : outcomes) {
    all.paper += outcome.paper ? 1 : 0;
    all.recovered += !outcome.paper && outcome.recover ? 1 : 0;
    all.lost += !outcome.paper && !outcome.recover ? 1 : 0;
  }
  const std::size_t total = outcomes.size();
  std::string out = fmt::format(
      "<h1>Which triples can be trained on</h1>\n<p class=\"soft\">{}: {} sentences, {} "
      "triples</p>\n",
      base::xml_text(options.source.filename().string()), with_thousands(rows.size()),
      with_thousands(total));
  out +=
      "<p>A model that tags words can learn a triple only if its words are found in the sentence. "
      "The paper's filter looks for them in the order subject, relation, object, spelled as they "
      "are. The recovering aligner also accepts other orders, other punctuation, gaps, missing "
      "function words and other forms of a word, and says which of these it used.</p>\n";
  out += "<div class=\"tiles\">\n";
  out += tile(total, "triples");
  out += tile(all.paper, fmt::format("kept by the paper ({})", percent(all.paper, total)));
  out += tile(all.recovered, fmt::format("recovered ({})", percent(all.recovered, total)));
  out += tile(all.lost, fmt::format("aligned by neither ({})", percent(all.lost, total)));
  return out + "</div>\n" + legend();
}

std::string table_card(const Breakdown& breakdown) {
  const std::string note =
      breakdown.note.empty() ? "" : fmt::format("<p class=\"soft\">{}</p>", breakdown.note);
  return fmt::format("<div class=\"card\"><h3>{}</h3>{}{}</div>\n", breakdown.title, note,
                     share_table(breakdown));
}

std::string categories(std::span<const Outcome> outcomes) {
  return "<h2>What it takes to align a triple</h2>\n<p>Each triple stands once, under the hardest "
         "relaxation that it needs; the order from mild to hard is that of the table. Below, the "
         "combinations in full.</p>\n" +
         table_card(by_category(outcomes)) + kSpace + table_card(by_combination(outcomes, 20));
}

std::string audit(std::span<const Outcome> outcomes) {
  return "<h2>Whom the filter discards</h2>\n<p>A filter that drops triples evenly costs data "
         "only; "
         "one that drops a kind of triple also teaches the model that this kind does not exist. "
         "The "
         "share kept by the paper's filter should therefore be compared between the rows.</p>\n" +
         table_card(by_relation_type(outcomes)) + kSpace + table_card(by_construction(outcomes));
}

std::string lengths(std::span<const Outcome> outcomes) {
  std::string out =
      "<h2>Lengths</h2>\n<p>Of sentences, of the three slots and of the stretch of words that a "
      "triple spans.</p>\n";
  out += table_card(by_sentence_length(outcomes)) + kSpace;
  out += table_card(by_triple_count(outcomes));
  for (const char role : std::string_view("SRO")) {
    out += kSpace + table_card(by_slot_length(outcomes, role));
  }
  return out + kSpace + table_card(by_extent(outcomes));
}

std::string order_and_gaps(std::span<const Outcome> outcomes) {
  std::string out =
      "<h2>Role order and discontinuity</h2>\n<p>Where the slots stand in the sentence, "
      "and in how many pieces: a slot of two pieces has words of the sentence between "
      "its own. \"Interleaved\" means that a slot stands inside another.</p>\n";
  out += table_card(by_role_order(outcomes)) + kSpace;
  out += table_card(by_pieces(outcomes)) + kSpace;
  return out + table_card(by_longest_gap(outcomes));
}

std::string marked_sentence(const Outcome& outcome) {
  const std::vector<std::string_view> words = text::split_words(outcome.row->sentence);
  if (!outcome.recover) return base::xml_text(outcome.row->sentence);
  const std::string& tags = outcome.recover->tags;
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool begins = tags[i] != 'B' && (i == 0 || tags[i - 1] != tags[i]);
    const bool ends = tags[i] != 'B' && (i + 1 == words.size() || tags[i + 1] != tags[i]);
    if (begins) out += fmt::format("<mark class=\"{}\">", tags[i]);
    out += base::xml_text(words[i]);
    if (ends) out += "</mark>";
    out += ' ';
  }
  return out;
}

std::string example(const Outcome& outcome) {
  const Triple& triple = outcome.row->triples[outcome.triple];
  const std::string how =
      outcome.recover ? name_of_mask(outcome.recover->relaxations) : "not aligned";
  return fmt::format(
      "<div class=\"example\"><div class=\"triple\"><em>row {}, triple {} &middot; {}</em>"
      "<mark class=\"S\">{}</mark> <mark class=\"R\">{}</mark> <mark class=\"O\">{}</mark></div>"
      "<div class=\"words\">{}</div></div>\n",
      outcome.row->number, outcome.triple, how, base::xml_text(triple.subject),
      base::xml_text(triple.relation), base::xml_text(triple.object), marked_sentence(outcome));
}

// A few triples of each category that the paper's filter drops (of all, where it drops none),
// from sentences short enough to read.
std::string examples(std::span<const Outcome> outcomes, const ReportOptions& options) {
  std::string out =
      "<h2>Examples</h2>\n<p>Drawn at random from sentences of at most 40 words; triples "
      "that the paper's filter discards, where there are any. <mark class=\"S\">subject</mark> "
      "<mark class=\"R\">relation</mark> <mark class=\"O\">object</mark></p>\n";
  std::mt19937_64 random(options.seed);
  for (const Share& category : by_category(outcomes).shares) {
    std::vector<const Outcome*> pool;
    for (const Outcome& outcome : outcomes) {
      if (category_of(outcome) != category.name) continue;
      if (outcome.paper && category.paper < category.total) continue;
      if (text::split_words(outcome.row->sentence).size() <= 40) pool.push_back(&outcome);
    }
    out +=
        fmt::format("<h3 style=\"margin-top:26px\">{}</h3>\n<div class=\"card\">\n", category.name);
    // Not std::shuffle, whose order differs between libraries.
    for (std::size_t drawn = 0; drawn < options.examples && !pool.empty(); ++drawn) {
      const std::size_t index = random() % pool.size();
      out += example(*pool[index]);
      pool.erase(pool.begin() + static_cast<std::ptrdiff_t>(index));
    }
    out += "</div>\n";
  }
  return out;
}

}  // namespace

void write_report(std::span<const Row> rows, const ReportOptions& options,
                  const std::filesystem::path& out) {
  const std::vector<Outcome> outcomes = audit_outcomes(rows);
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<title>Training data report</title>\n<style>";
  page += report_style();
  page += "</style></head><body><main>\n";
  page += header(rows, outcomes, options);
  page += categories(outcomes);
  page += audit(outcomes);
  page += lengths(outcomes);
  page += order_and_gaps(outcomes);
  page += examples(outcomes, options);
  page += "</main></body></html>\n";
  files::write_text_file(out, page);
}

}  // namespace diffie::data
