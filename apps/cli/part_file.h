// Files of an output while it is not complete.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace diffie::cli {

// A file that is written from its beginning, in large pieces. All throw kNotFound where that cannot
// be done.
class PartFile {
 public:
  PartFile(std::filesystem::path path, int flags, mode_t permissions = 0666);  // as of open(2)
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile();

  // False where the name is another file's by now. Throws where another run has it locked, or it is
  // no file of a run.
  bool lock();
  void make_empty();

  void write(std::string_view bytes);
  void flush();
  void close();
  // Complete, in the place of what is there; locked until it is.
  void replace(const std::filesystem::path& place);

 private:
  std::filesystem::path path_;
  int descriptor_;
  std::string waiting_;
};

// A folder in which an output grows, a file or a folder. It has a locked file as its mark: no other
// run uses it, and what a run that was killed has left can be told from what is others'. It goes
// away with the object.
class PartFolder {
 public:
  explicit PartFolder(std::filesystem::path path);  // throws where what is there has no mark
  PartFolder(const PartFolder&) = delete;
  PartFolder& operator=(const PartFolder&) = delete;
  ~PartFolder();

  // Where the output grows; nothing is there at first.
  std::filesystem::path content() const;
  // A folder there, with the permissions of `place` where that is one.
  void make_folder(const std::filesystem::path& place) const;

 private:
  void remove();

  std::filesystem::path path_;
  std::unique_ptr<PartFile> lock_;
};

}  // namespace diffie::cli
