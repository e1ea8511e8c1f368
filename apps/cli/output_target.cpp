#include "output_target.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <map>
#include <utility>

#include "diffie/error.h"
#include "files/atomic_file.h"
#include "files/replace_folder.h"
#include "part_file.h"
#include "stdout.h"

namespace diffie::cli {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const fs::path& path, const char* doing, const char* why) {
  throw Error(ErrorCode::kNotFound, fmt::format("{}: {}: {}", path.string(), doing, why));
}

// "dir/" means dir.
fs::path without_slash(const std::string& name) {
  fs::path path = fs::path(name).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

fs::path place_of_folder(const std::string& name) {
  fs::path place = without_slash(files::behind_links(without_slash(name)));
  std::error_code ignored;
  const fs::path own_name = place.filename();
  if (own_name.empty() || own_name == "." || own_name == "..")
    fail(name, "cannot be created", "give the folder's own name");
  if (fs::exists(place, ignored) && !fs::is_directory(place, ignored))
    fail(place, "cannot be created", "is no folder");
  return place;
}

class StandardOutput final : public OutputTarget {
 public:
  void write(std::string_view /*name*/, std::string_view bytes) override { waiting_ += bytes; }
  void close(std::string_view /*name*/) override {}
  void flush() override {
    write_stdout(waiting_);
    waiting_.clear();
  }
  void commit() override { flush(); }

 private:
  std::string waiting_;
};

// A pipe, a device: written to directly.
class SpecialFile final : public OutputTarget {
 public:
  explicit SpecialFile(const fs::path& path) : file_(path, O_TRUNC) {}

  void write(std::string_view /*name*/, std::string_view bytes) override { file_.write(bytes); }
  void close(std::string_view /*name*/) override {}
  void flush() override { file_.flush(); }
  void commit() override { file_.close(); }

 private:
  PartFile file_;
};

fs::path with_parents(fs::path part) {
  std::error_code problem;
  if (part.has_parent_path()) fs::create_directories(part.parent_path(), problem);
  if (problem) fail(part, "cannot be created", problem.message().c_str());
  return part;
}

class OutputFile final : public OutputTarget {
 public:
  explicit OutputFile(fs::path path)
      : path_(std::move(path)),
        room_(beside(path_, ".part")),
        file_(room_.content(), O_CREAT | O_EXCL, files::first_permissions(path_)) {}

  void write(std::string_view /*name*/, std::string_view bytes) override { file_.write(bytes); }
  void close(std::string_view /*name*/) override {}
  void flush() override { file_.flush(); }
  void commit() override { file_.replace(path_); }

 private:
  fs::path path_;
  PartFolder room_;
  PartFile file_;
};

class OutputFolder final : public OutputTarget {
 public:
  explicit OutputFolder(const std::string& path)
      : path_(place_of_folder(path)), room_(with_parents(beside(path_, ".part"))) {
    room_.make_folder(path_);
  }

  void write(std::string_view name, std::string_view bytes) override {
    auto file = files_.find(name);
    if (file == files_.end())
      file = files_.try_emplace(std::string(name), room_.content() / name, O_CREAT | O_TRUNC).first;
    file->second.write(bytes);
  }
  void close(std::string_view name) override {
    const auto file = files_.find(name);
    if (file == files_.end()) return;
    file->second.close();
    files_.erase(file);
  }
  void flush() override {
    for (auto& [name, file] : files_) file.flush();
  }
  void commit() override {
    while (!files_.empty()) close(std::string(files_.begin()->first));
    files::replace_folder(room_.content(), path_);
  }

 private:
  fs::path path_;
  PartFolder room_;
  std::map<std::string, PartFile, std::less<>> files_;
};

}  // namespace

fs::path output_place(const std::string& path, bool is_folder) {
  return is_folder ? place_of_folder(path) : files::place_of_file(path);
}

fs::path beside(fs::path place, const char* ending) { return place += ending; }

std::unique_ptr<OutputTarget> standard_output() { return std::make_unique<StandardOutput>(); }

void check_free(const std::string& path) {
  const fs::path folder = without_slash(path);
  std::error_code ignored;
  if (fs::is_directory(folder, ignored) && !fs::is_empty(folder, ignored))
    fail(folder, "cannot be created", "is already there");
}

std::unique_ptr<OutputTarget> output_file(const std::string& path) {
  const fs::path place = files::place_of_file(path);
  if (files::is_special_file(place)) return std::make_unique<SpecialFile>(place);
  return std::make_unique<OutputFile>(place);
}

std::unique_ptr<OutputTarget> output_folder(const std::string& path) {
  return std::make_unique<OutputFolder>(path);
}

}  // namespace diffie::cli
