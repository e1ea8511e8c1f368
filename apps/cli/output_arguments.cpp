#include "output_arguments.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "diffie/error.h"
#include "files/atomic_file.h"
#include "input_places.h"
#include "pretty.h"
#include "tables.h"
#include "writer_options.h"

namespace diffie::cli {
namespace fs = std::filesystem;
namespace {

// Formats that the library does not write itself.
constexpr auto kTables = std::to_array<std::pair<const char*, InputKind>>({
    {"parquet", InputKind::kParquet},
    {"arrow", InputKind::kArrow},
});

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

void OutputArguments::add_to(CLI::App& app) {
  std::string help = "text (for people)";
  std::vector<std::string> names = {"text"};
  for (const FormatInfo& info : output_formats()) {
    help += fmt::format(", {} ({})", info.name, info.help);
    names.push_back(info.name);
  }
  help += ", parquet, arrow (tables of triples)";
  for (const auto& [name, kind] : kTables) names.emplace_back(name);
  app.add_option("-f,--format", format_, help)->check(CLI::IsMember(names))->capture_default_str();
  CLI::Option* output = app.add_option("-o,--output", path_,
                                       "File, or folder for formats of several files, in place "
                                       "when complete; '-' for standard output (the default)");
  app.add_flag("--resume", resume_, "Go on where a run with the same --output was cut off")
      ->needs(output);
  app.add_flag("--document-offsets", options_.document_offsets,
               "Spans in the document too, in bytes and characters (jsonl)");
  app.add_option("--base-iri", options_.base_iri, "What IRIs begin with (ntriples, turtle)")
      ->capture_default_str();
  app.add_flag("--classic-reification", options_.classic_reification,
               "rdf:Statement in place of RDF 1.2's rdf:reifies (ntriples, turtle)");
  app.add_option("--colour,--color", colour_, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

bool OutputArguments::several_files() const {
  const std::vector<FormatInfo> formats = output_formats();
  return std::any_of(formats.begin(), formats.end(), [&](const FormatInfo& info) {
    return info.name == format_ && info.several_files;
  });
}

void OutputArguments::check() const {
  if (resume_ && (!to_file() || files::is_special_file(path_)))
    throw Error(ErrorCode::kInvalidArgument, "--resume needs a file or folder as --output");
  const std::optional<UnusedOption> unused = unused_option(options_, format_);
  if (!unused) return;
  std::string option = unused->name;
  std::replace(option.begin(), option.end(), '_', '-');
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("--{} is for the format {}, not {}", option, unused->formats, format_));
}

fs::path OutputArguments::journal_path() const {
  return beside(output_place(path_, several_files()), ".journal");
}

std::vector<fs::path> OutputArguments::places_written() const {
  std::error_code ignored;
  if (!to_file()) {
    if (!fs::is_regular_file("/dev/stdout", ignored)) return {};
    return {"/dev/stdout"};
  }
  const fs::path place = output_place(path_, several_files());
  if (files::is_special_file(place)) return {};
  std::vector<fs::path> places = {place, beside(place, ".part")};
  if (resume_) places.push_back(beside(place, ".journal"));
  return places;
}

// They would be gone before they are read again, or be read while they are written.
void OutputArguments::check_inputs(const std::vector<std::string>& inputs) const {
  const std::vector<fs::path> written = places_written();
  if (written.empty()) return;
  const InputPlaces read(inputs);
  for (const fs::path& place : written) {
    const std::string* const input = read.find(place);
    if (input == nullptr) continue;
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}: is read, and would be written as {}", *input, place.string()));
  }
}

std::unique_ptr<OutputTarget> OutputArguments::open_target(const InputOptions& input) const {
  if (!to_file() && several_files()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("format {} has several files: name a folder with --output", format_));
  }
  check_inputs(input.files);
  if (!to_file()) return standard_output();
  if (!several_files()) return output_file(path_);
  auto folder = output_folder(path_);
  // Looked at when no other run can fill it any more.
  if (!resume_) check_free(path_);
  return folder;
}

std::unique_ptr<Journal> OutputArguments::open_journal(
    const std::function<std::string()>& describe) const {
  if (!resume_) return nullptr;
  const std::string run = fmt::format(
      "{}format {}\ncolour {}\ndocument-offsets {}\nbase-iri {}\nclassic-reification {}\n",
      describe(), format_, colour_, options_.document_offsets, options_.base_iri,
      options_.classic_reification);
  auto journal = std::make_unique<Journal>(journal_path(), run);
  // What a run that was cut off at its very end has put there is ours to replace.
  if (several_files() && !journal->resumed()) check_free(path_);
  return journal;
}

std::unique_ptr<Writer> OutputArguments::make_writer(const InputOptions& input,
                                                     const TableOrigin& origin,
                                                     OutputFiles& files) const {
  for (const auto& [name, kind] : kTables) {
    if (format_ == name) return make_table_writer(kind, origin, files);
  }
  for (const FormatInfo& info : output_formats()) {
    if (info.name != format_) continue;
    WriterOptions options = options_;
    options.source = input.mode != InputMode::kLines;
    return diffie::make_writer(info.format, options, files);
  }
  const bool terminal = !to_file() && ::isatty(STDOUT_FILENO) == 1;
  const bool wanted = terminal && std::getenv("NO_COLOR") == nullptr;
  const bool colour = colour_ == "always" || (colour_ == "auto" && wanted);
  return make_pretty_writer({.colour = colour,
                             .width = terminal ? terminal_width() : 0,
                             .name_documents = input.files.size() > 1},
                            files);
}

}  // namespace diffie::cli
