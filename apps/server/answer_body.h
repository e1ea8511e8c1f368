// The body of an answer in the format that was asked for.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "diffie/arrow.h"
#include "diffie/output.h"
#include "extract_request.h"

namespace diffie::server {

// Which model and preset answered.
using Origin = TableOrigin;

// A writer of the library over bytes in memory. Not safe to call from several threads at once.
class AnswerBody : private OutputFiles {
 public:
  // Throws HttpError 400 for an unknown format or impossible options. The writer throws HttpError
  // 413 where more than `max_bytes` would wait for take().
  AnswerBody(const std::string& format, const WriterOptions& options, const Origin& origin,
             std::size_t max_bytes);

  Writer& writer() { return *writer_; }
  // After the writer's finish(): what closes the body.
  void finish();
  // What has come since; only what is streamed comes before finish().
  std::string take();

  bool streamed() const { return format_ == "jsonl"; }
  const std::string& content_type() const { return content_type_; }
  // To be saved under this name; empty: to be shown.
  const std::string& file_name() const { return file_name_; }

 private:
  void write(std::string_view name, std::string_view bytes) override;
  void close(std::string_view name) override;

  const std::size_t max_bytes_;
  std::size_t num_bytes_ = 0;  // that wait, with what an archive has for each file
  std::string format_;
  std::string content_type_;
  std::string file_name_;
  std::string bytes_;
  std::map<std::string, std::string, std::less<>> files_;  // of formats of several files
  bool first_line_ = true;                                 // json
  bool finished_ = false;
  std::unique_ptr<Writer> writer_;
};

// Names, content types and help of everything that AnswerBody writes.
struct AnswerFormat {
  std::string name;
  std::string help;
  std::string content_type;
  std::string ending;  // of a file's name; empty: shown, not saved
  bool several_files = false;
};
const std::vector<AnswerFormat>& answer_formats();

}  // namespace diffie::server
