#include "answer_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json_text.h"
#include "base/printable.h"
#include "corenlp_protobuf.h"
#include "http_error.h"
#include "tables.h"
#include "tar.h"

namespace diffie::server {
namespace {

// Of each file in an archive: its head, and what fills its last block.
constexpr std::size_t kBytesOfAFile = 1024;

// Content types and endings of files; what is not here is plain text.
AnswerFormat describe(const std::string& name, const std::string& help, bool several_files) {
  if (several_files) return {name, help, "application/x-tar", "tar", true};
  const auto one = [&](const char* type, const char* ending) {
    return AnswerFormat{name, help, type, ending, false};
  };
  if (name == "jsonl") return one("application/x-ndjson", "");
  if (name == "tsv" || name == "carb")
    return one("text/tab-separated-values; charset=utf-8", "tsv");
  if (name == "corenlp" || name == "hipporag" || name == "lightrag")
    return one("application/json", "json");
  if (name == "ntriples") return one("application/n-triples", "nt");
  if (name == "turtle") return one("text/turtle; charset=utf-8", "ttl");
  if (name == "graphml") return one("application/xml", "graphml");
  if (name == "html") return one("text/html; charset=utf-8", "html");
  if (name == "parquet") return one("application/vnd.apache.parquet", "parquet");
  if (name == "arrow") return one("application/vnd.apache.arrow.file", "arrow");
  return one("text/plain; charset=utf-8", "txt");
}

std::unique_ptr<Writer> open_writer(const std::string& format, const WriterOptions& options,
                                    const Origin& origin, OutputFiles& files) {
  if (format == "parquet") return cli::make_table_writer(cli::InputKind::kParquet, origin, files);
  if (format == kCorenlpSerialized) return make_corenlp_protobuf_writer(files);
  if (format == "arrow") return cli::make_table_writer(cli::InputKind::kArrow, origin, files);
  for (const FormatInfo& info : output_formats()) {
    const bool wanted = info.name == format || (format == "json" && info.name == "jsonl");
    if (wanted) return make_writer(info.format, options, files);
  }
  throw bad_field("format", fmt::format("no format is named '{}'", base::printable(format)));
}

}  // namespace

const std::vector<AnswerFormat>& answer_formats() {
  static const std::vector<AnswerFormat> formats = [] {
    std::vector<AnswerFormat> all = {{"json", "one object", "application/json", "", false}};
    for (const FormatInfo& info : output_formats())
      all.push_back(describe(info.name, info.help, info.several_files));
    for (const char* name : {"parquet", "arrow"})
      all.push_back(describe(name, "a table of triples", false));
    return all;
  }();
  return formats;
}

AnswerBody::AnswerBody(const std::string& format, const WriterOptions& options,
                       const Origin& origin, std::size_t max_bytes)
    : max_bytes_(max_bytes), format_(format) {
  try {
    writer_ = open_writer(format, options, origin, *this);
  } catch (const Error& error) {
    throw to_http_error(error, "format");
  }
  for (const AnswerFormat& each : answer_formats()) {
    if (each.name != format) continue;
    content_type_ = each.content_type;
    if (!each.ending.empty()) file_name_ = fmt::format("diffie.{}", each.ending);
  }
  if (format == kCorenlpSerialized) content_type_ = "application/x-protobuf";
  if (format_ != "json") return;
  bytes_ = "{\"model\": ";
  base::append_json_string(bytes_, origin.model);
  bytes_ += ", \"preset\": ";
  base::append_json_string(bytes_, origin.preset);
  bytes_ += ", \"sentences\": [";
}

void AnswerBody::write(std::string_view name, std::string_view bytes) {
  const bool is_new = !name.empty() && !files_.contains(name);
  num_bytes_ += bytes.size() + (is_new ? kBytesOfAFile : 0);
  if (num_bytes_ > max_bytes_) {
    throw HttpError(413, "too_large",
                    fmt::format("the answer has more than {} bytes: ask for less", max_bytes_));
  }
  if (!name.empty()) {
    files_[std::string(name)] += bytes;
  } else if (format_ != "json") {
    bytes_ += bytes;
  } else {
    while (!bytes.empty()) {  // whole lines of JSONL
      const std::size_t end = bytes.find('\n');
      if (!std::exchange(first_line_, false)) bytes_ += ",\n";
      bytes_ += bytes.substr(0, end);
      bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    }
  }
}

void AnswerBody::close(std::string_view /*name*/) {}

void AnswerBody::finish() {
  if (format_ == "json") bytes_ += "]}\n";
  if (content_type_ == "application/x-tar") bytes_ = tar_archive(files_);
  finished_ = true;
}

std::string AnswerBody::take() {
  if (!finished_ && !streamed()) return {};
  num_bytes_ = 0;
  return std::exchange(bytes_, {});
}

}  // namespace diffie::server
