#include "run_description.h"

#include <fmt/format.h>

#include <iterator>

#include "checksums/sha256.h"
#include "diffie/version.h"
#include "ops/cpu_kernels.h"

namespace diffie::cli {
namespace fs = std::filesystem;
namespace {

std::string describe_files(const std::vector<std::string>& files) {
  checksums::Sha256 sum;
  std::uint64_t bytes = 0;
  for (const std::string& file : files) {
    std::error_code error;
    const std::uintmax_t size = fs::is_regular_file(file, error) ? fs::file_size(file, error) : 0;
    const std::string line = fmt::format("{} {}\n", size, file);
    sum.update(std::as_bytes(std::span(line)));
    bytes += size;
  }
  return fmt::format("{} files of {} bytes, {}", files.size(), bytes, sum.finish());
}

}  // namespace

std::string describe_run(const fs::path& model, const Settings& settings,
                         const InputOptions& input) {
  std::string run = fmt::format("diffie {} with {} kernels\n", version(), ops::cpu_kernels().name);
  const auto add = [&](std::string_view name, std::string_view value) {
    fmt::format_to(std::back_inserter(run), "{} {}\n", name, value);
  };
  add("model", checksums::sha256_of_file(model / "SHA256SUMS"));
  for (const SettingInfo& info : setting_infos()) {
    if (info.name == "threads" || info.name == "devices") continue;  // change no result
    add(info.name, get_setting(settings, info.name));
  }
  add("input", describe_files(input.files));
  add("input-format", input.kind ? fmt::format("{}", static_cast<int>(*input.kind)) : "auto");
  add("lines", input.mode == InputMode::kLines ? "true" : "false");
  add("text-field", input.fields.text);
  add("id-field", input.fields.id);
  add("shard", input.shard.name());
  return run;
}

}  // namespace diffie::cli
