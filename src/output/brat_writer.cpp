// brat standoff: for each document its text and its annotations, and the configuration that brat
// needs to show them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/utf8.h"
#include "output/document_places.h"
#include "output/node.h"
#include "output/safe_name.h"
#include "output/slots.h"
#include "output/writers.h"

namespace diffie::output {
namespace {

constexpr std::string_view kConfiguration =
    "[entities]\nSubject\nObject\nSource\nTime\nPlace\n"
    "[relations]\nImplied\tArg1:Subject, Arg2:Object\n"
    "[events]\nRelation\tSubject*:Subject, Object*:Object, Source*:Source, Time*:Time, "
    "Place*:Place\n"
    "[attributes]\nNegated\tArg:<ANY>\n"
    "Modality\tArg:<ANY>, Value:possible|question|imperative|conditional\n";

// As the text file has it: readers turn a carriage return into a line break or drop it, which would
// move all that follows, so it is a blank.
std::string file_text(std::string_view text) {
  std::string valid;
  base::append_valid_utf8(valid, text);
  std::replace(valid.begin(), valid.end(), '\r', ' ');
  return valid;
}

// What no annotation may go over: tabs, and all that is a line's end to brat.
bool is_break(char32_t code) {
  return (code >= 0x09 && code <= 0x0C) || (code >= 0x1C && code <= 0x1E) || code == 0x85 ||
         code == 0x2028 || code == 0x2029;
}

// A span without breaks and without white space at the edges of what is left.
std::vector<Span> fragments(std::string_view text, const std::vector<Span>& spans) {
  std::vector<Span> parts;
  for (const Span& span : spans) {
    Span part{span.end, span.end};
    for (std::size_t pos = span.begin; pos < span.end;) {
      const base::Decoded decoded = base::decode_utf8(text, pos);
      if (is_break(decoded.code_point)) {
        if (part.begin < part.end) parts.push_back(part);
        part = {span.end, span.end};
      } else if (!base::is_unicode_space(decoded.code_point)) {
        if (part.begin == span.end) part.begin = pos;
        part.end = pos + decoded.length;
      }
      pos += decoded.length;
    }
    if (part.begin < part.end) parts.push_back(part);
  }
  return parts;
}

class BratWriter final : public Writer {
 public:
  explicit BratWriter(OutputFiles& files) : files_(files) {}

  void begin_document(std::string_view id) override {
    name_ = names_.next(id);
    counts_ = {};
    num_characters_ = 0;
    files_.write(name_ + ".txt", "");
    files_.write(name_ + ".ann", "");
  }

  void add(const DocumentSentence& sentence, const SentenceResult& result) override {
    const std::size_t gap = count_code_points(sentence.gap);
    add_text(sentence.gap, sentence.character - std::min(gap, sentence.character));
    add_text(sentence.text, sentence.character);
    const DocumentPlaces places(sentence);
    text_bound_.clear();
    out_.clear();
    for (const Extraction& triple : result.extractions) add_triple(sentence, places, triple);
    if (!out_.empty()) files_.write(name_ + ".ann", out_);
  }

  void add_text(std::string_view text, std::size_t character) override {
    pad_to(character);
    files_.write(name_ + ".txt", file_text(text));
    num_characters_ = character + count_code_points(text);
  }

  void end_document(std::string_view rest) override {
    if (!rest.empty()) files_.write(name_ + ".txt", file_text(rest));
    files_.close(name_ + ".txt");
    files_.close(name_ + ".ann");
  }

  void finish() override {
    files_.write("annotation.conf", kConfiguration);
    files_.close("annotation.conf");
  }

 private:
  // Blanks for text that was not handed over, the rest of a line that is too long: places stay.
  void pad_to(std::size_t character) {
    constexpr std::size_t kMostAtOnce = std::size_t{1} << 16;
    while (num_characters_ < character) {
      const std::size_t count = std::min(character - num_characters_, kMostAtOnce);
      files_.write(name_ + ".txt", std::string(count, ' '));
      num_characters_ += count;
    }
  }

  struct Counts {
    std::size_t text_bound = 0;
    std::size_t events = 0;
    std::size_t relations = 0;
    std::size_t attributes = 0;
    std::size_t notes = 0;
  };

  // "T3", a new line where this sentence has none for it yet; "" where nothing is left of the
  // spans.
  std::string text_bound(std::string_view type, const DocumentSentence& sentence,
                         const DocumentPlaces& places, const std::vector<Span>& spans) {
    std::string where;
    std::string quoted;
    for (const Span& part : fragments(sentence.text, spans)) {
      const Span characters = places.characters(part);
      where += fmt::format("{}{} {}", where.empty() ? "" : ";", characters.begin, characters.end);
      if (!quoted.empty()) quoted += ' ';
      quoted += file_text(sentence.text.substr(part.begin, part.end - part.begin));
    }
    if (where.empty()) return {};
    const auto [known, is_new] = text_bound_.try_emplace(fmt::format("{} {}", type, where));
    if (is_new) {
      known->second = fmt::format("T{}", ++counts_.text_bound);
      out_ += fmt::format("{}\t{}\t{}\n", known->second, known->first, quoted);
    }
    return known->second;
  }

  void add_triple(const DocumentSentence& sentence, const DocumentPlaces& places,
                  const Extraction& triple) {
    std::string arguments;  // of the event
    const auto argument = [&](const std::string& role, std::string_view type,
                              const std::vector<Span>& spans) {
      const std::string bound = text_bound(type, sentence, places, spans);
      if (!bound.empty()) arguments += fmt::format(" {}:{}", role, bound);
      return bound;
    };
    const std::string subject = argument("Subject", "Subject", triple.subject_spans);
    const std::string object = argument("Object", "Object", triple.object_spans);
    if (const auto& source = triple.factuality.attributed_to)
      argument("Source", "Source", source->spans);
    std::array<std::size_t, 2> count = {};
    for (const Circumstance& circumstance : triple.circumstances) {
      const std::string type = circumstance.kind == CircumstanceKind::kTime ? "Time" : "Place";
      const std::size_t number = ++count[static_cast<std::size_t>(circumstance.kind)];
      argument(number == 1 ? type : fmt::format("{}{}", type, number), type, circumstance.spans);
    }
    const std::string trigger = text_bound("Relation", sentence, places, triple.relation_spans);
    std::string id;
    if (!trigger.empty()) {
      id = fmt::format("E{}", ++counts_.events);
      out_ += fmt::format("{}\tRelation:{}{}\n", id, trigger, arguments);
    } else if (!subject.empty() && !object.empty()) {
      id = fmt::format("R{}", ++counts_.relations);
      out_ += fmt::format("{}\tImplied Arg1:{} Arg2:{}\n", id, subject, object);
    } else {
      return;  // nothing that brat could hang it on
    }
    add_notes(id, triple);
  }

  void add_notes(const std::string& id, const Extraction& triple) {
    const Factuality& factuality = triple.factuality;
    if (factuality.polarity == Polarity::kNegative)
      out_ += fmt::format("A{}\tNegated {}\n", ++counts_.attributes, id);
    if (factuality.modality != Modality::kCertain)
      out_ += fmt::format("A{}\tModality {} {}\n", ++counts_.attributes, id,
                          name_of(factuality.modality));
    out_ += fmt::format("#{}\tAnnotatorNotes {}\tconfidence={:.6g}", ++counts_.notes, id,
                        triple.confidence);
    if (!triple.implied.empty())
      out_ += fmt::format("; implied={}", fmt::join(triple.implied, " "));
    if (factuality.attributed_to)
      out_ += fmt::format("; attributed_to={}", one_line(factuality.attributed_to->text));
    for (const Circumstance& circumstance : triple.circumstances)
      out_ += fmt::format("; {}={}", name_of(circumstance.kind), one_line(circumstance.text));
    out_ += '\n';
  }

  OutputFiles& files_;
  std::size_t num_characters_ = 0;  // of the document, written so far
  SafeNames names_;
  std::string name_;
  std::string out_;
  std::map<std::string, std::string> text_bound_;  // type and places -> id
  Counts counts_;
};

}  // namespace

std::unique_ptr<Writer> make_brat_writer(const WriterOptions& /*options*/, OutputFiles& files) {
  return std::make_unique<BratWriter>(files);
}

}  // namespace diffie::output
