// TensorBoard event files: scalars only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

namespace diffie::train {

class EventFile {
 public:
  // Creates DIR/events.out.tfevents.SECONDS.diffie.PID. It and add_scalar() throw kNotFound where
  // that cannot be written.
  EventFile(const std::filesystem::path& dir, double wall_time);

  void add_scalar(std::string_view tag, double value, std::int64_t step, double wall_time);
  const std::filesystem::path& path() const { return path_; }

 private:
  void write_record(std::string_view event);

  std::filesystem::path path_;
  std::ofstream out_;
};

}  // namespace diffie::train
