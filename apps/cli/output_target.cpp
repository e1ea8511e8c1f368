#include "output_target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

#include "diffie/error.h"
#include "files/atomic_file.h"
#include "files/replace_folder.h"
#include "files/uninterrupted.h"
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

// Found when all is done otherwise, when the rename fails.
const std::string& no_folder(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail(path, "cannot be created", "is a folder");
  return path;
}

void rename_into_place(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0)
    fail(to, "cannot be renamed into place", std::strerror(errno));
}

// A file that is written from its beginning, in large pieces.
class PartFile {
 public:
  explicit PartFile(fs::path path)
      : path_(std::move(path)), descriptor_(files::uninterrupted([&] {
          return ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        })) {
    if (descriptor_ < 0) fail(path_, "cannot be created", std::strerror(errno));
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  void write(std::string_view bytes) {
    constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
    waiting_ += bytes;
    if (waiting_.size() >= kPieceBytes) flush();
  }

  void flush() {
    std::string_view left = waiting_;
    while (!left.empty()) {
      const ssize_t written =
          files::uninterrupted([&] { return ::write(descriptor_, left.data(), left.size()); });
      if (written < 0) fail(path_, "cannot be written", std::strerror(errno));
      left.remove_prefix(static_cast<std::size_t>(written));
    }
    waiting_.clear();
  }

  void close(bool sync) {
    flush();
    if (sync && files::uninterrupted([&] { return ::fsync(descriptor_); }) != 0)
      fail(path_, "cannot be written", std::strerror(errno));
    // Interrupted or not, it is closed.
    if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR)
      fail(path_, "cannot be written", std::strerror(errno));
  }

 private:
  fs::path path_;
  int descriptor_;
  std::string waiting_;
};

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

class OutputFile final : public OutputTarget {
 public:
  explicit OutputFile(const std::string& path)
      : path_(files::behind_links(no_folder(path))),
        is_special_(files::is_special_file(path_)),
        part_(is_special_ ? path_ : beside(path_.string(), ".part")),
        file_(part_) {}
  ~OutputFile() override {
    if (!committed_ && !is_special_) ::unlink(part_.c_str());
  }

  void write(std::string_view /*name*/, std::string_view bytes) override { file_.write(bytes); }
  void close(std::string_view /*name*/) override {}
  void flush() override { file_.flush(); }
  void commit() override {
    file_.close(!is_special_);
    if (!is_special_) rename_into_place(part_, path_);
    committed_ = true;
  }

 private:
  fs::path path_;
  bool is_special_;  // a pipe, a device: written to directly
  fs::path part_;
  PartFile file_;
  bool committed_ = false;
};

class OutputFolder final : public OutputTarget {
 public:
  explicit OutputFolder(const std::string& path)
      : path_(without_slash(path)), part_(beside(path, ".part")) {
    std::error_code error;
    if (fs::exists(path_, error) && !fs::is_directory(path_, error))
      fail(path_, "cannot be created", "is no folder");
    fs::remove_all(part_, error);
    fs::create_directories(part_, error);
    if (error) fail(part_, "cannot be created", error.message().c_str());
  }
  ~OutputFolder() override {
    std::error_code ignored;
    if (!committed_) fs::remove_all(part_, ignored);
  }

  void write(std::string_view name, std::string_view bytes) override {
    auto file = files_.find(name);
    if (file == files_.end()) file = files_.try_emplace(std::string(name), part_ / name).first;
    file->second.write(bytes);
  }
  void close(std::string_view name) override {
    const auto file = files_.find(name);
    if (file == files_.end()) return;
    file->second.close(false);
    files_.erase(file);
  }
  void flush() override {
    for (auto& [name, file] : files_) file.flush();
  }
  void commit() override {
    while (!files_.empty()) close(std::string(files_.begin()->first));
    files::replace_folder(part_, path_);
    committed_ = true;
  }

 private:
  fs::path path_;
  fs::path part_;
  std::map<std::string, PartFile, std::less<>> files_;
  bool committed_ = false;
};

}  // namespace

fs::path beside(const std::string& path, const char* ending) {
  return without_slash(path) += ending;
}

std::unique_ptr<OutputTarget> standard_output() { return std::make_unique<StandardOutput>(); }

std::unique_ptr<OutputTarget> output_file(const std::string& path) {
  return std::make_unique<OutputFile>(path);
}

void check_free(const std::string& path) {
  const fs::path folder = without_slash(path);
  std::error_code ignored;
  if (fs::is_directory(folder, ignored) && !fs::is_empty(folder, ignored))
    fail(folder, "cannot be created", "is already there");
}

std::unique_ptr<OutputTarget> output_folder(const std::string& path) {
  return std::make_unique<OutputFolder>(path);
}

}  // namespace diffie::cli
