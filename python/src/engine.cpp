#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <future>
#include <iterator>
#include <map>
#include <stop_token>

#include "bind.h"
#include "diffie/error.h"
#include "diffie/extractor.h"
#include "reading.h"
#include "without_gil.h"

namespace diffie::python {
namespace {

// How long Ctrl-C waits at most before it is seen.
constexpr std::chrono::milliseconds kSignalInterval{50};

// An extractor that is made anew where the process was forked: its threads stayed behind.
class Engine {
 public:
  Engine(std::shared_ptr<const Model> model, const Settings& settings)
      : model_(std::move(model)), settings_(settings), made_(make()) {}

  ~Engine() {
    if (::getpid() != pid_) (void)new std::shared_ptr<const Extractor>(made_);  // nobody to join
  }

  std::shared_ptr<const Extractor> extractor() {
    if (::getpid() != pid_) {
      std::shared_ptr<const Extractor> made = make();  // where it fails the next call tries again
      (void)new std::shared_ptr<const Extractor>(std::move(made_));
      made_ = std::move(made);
      pid_ = ::getpid();
    }
    return made_;
  }

  const Settings& settings() const { return made_->settings(); }
  std::size_t batch_size() const { return made_->batch_size(); }
  std::vector<std::string> take_notices() const { return made_->take_notices(); }

 private:
  std::shared_ptr<const Extractor> make() const {
    return std::make_shared<const Extractor>(model_, settings_);
  }

  std::shared_ptr<const Model> model_;
  Settings settings_;
  pid_t pid_ = ::getpid();
  std::shared_ptr<const Extractor> made_;
};

// A range of a document's sentences.
struct Piece {
  std::shared_ptr<Reading> reading;
  std::size_t first = 0;
  std::size_t last = 0;
};

// Sentences being read in the background. The results reach the readings in wait(), so nobody sees
// half of them.
class Job {
 public:
  Job(Engine& engine, std::vector<Piece> pieces) : pieces_(std::move(pieces)), pid_(::getpid()) {
    for (const Piece& piece : pieces_) {
      for (std::size_t index = piece.first; index < piece.last; ++index) {
        sentences_.push_back(piece.reading->sentence(index));
      }
    }
    results_ = std::async(std::launch::async,
                          [this, extractor = engine.extractor(), begun = computing()]() mutable {
                            const Computing until_it_ends = std::move(begun);
                            return extractor->extract(sentences_, stop_.get_token());
                          });
  }

  ~Job() {
    if (::getpid() != pid_) {  // the thread is that of the parent
      (void)new std::future<std::vector<SentenceResult>>(std::move(results_));
      return;
    }
    stop_.request_stop();
    if (results_.valid()) {
      const WithoutGil without_gil;
      results_.wait();
    }
  }

  void wait() {
    if (!results_.valid() || ::getpid() != pid_) {
      throw Error(ErrorCode::kInvalidArgument, "was waited for already, or by another process");
    }
    while (!ready_soon()) {
      if (PyErr_CheckSignals() != 0) {
        stop_.request_stop();
        throw nb::python_error();
      }
    }
    std::vector<SentenceResult> results = results_.get();
    auto next = std::make_move_iterator(results.begin());
    for (const Piece& piece : pieces_) {
      for (std::size_t index = piece.first; index < piece.last; ++index) {
        piece.reading->results[index] = *next++;
      }
    }
  }

 private:
  bool ready_soon() const {
    const WithoutGil without_gil;
    return results_.wait_for(kSignalInterval) == std::future_status::ready;
  }

  std::vector<Piece> pieces_;
  pid_t pid_;
  std::vector<std::string_view> sentences_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> at_end_{python_ends(),
                                                    [this] { stop_.request_stop(); }};
  std::future<std::vector<SentenceResult>> results_;
};

std::unique_ptr<Job> start(
    Engine& engine,
    const std::vector<std::tuple<std::shared_ptr<Reading>, std::size_t, std::size_t>>& ranges) {
  std::vector<Piece> pieces;
  for (const auto& [reading, first, last] : ranges) {
    if (first > last || last > reading->sentences.size()) {
      throw Error(ErrorCode::kInvalidArgument, "sentences that the document does not have");
    }
    pieces.push_back({reading, first, last});
  }
  return std::make_unique<Job>(engine, std::move(pieces));
}

std::shared_ptr<const Model> load_model(const std::filesystem::path& path) {
  const WithoutGil without_gil;
  return Model::load(path);
}

std::unique_ptr<Engine> make_engine(const std::shared_ptr<const Model>& model,
                                    const std::string& preset,
                                    const std::map<std::string, std::string>& changes) {
  Settings settings = model->settings(preset);
  for (const auto& [name, value] : changes) set_setting(settings, name, value);
  const WithoutGil without_gil;
  return std::make_unique<Engine>(model, settings);
}

std::map<std::string, std::string> settings_of(const Engine& engine) {
  std::map<std::string, std::string> values;
  for (const SettingInfo& info : setting_infos()) {
    values[info.name] = get_setting(engine.settings(), info.name);
  }
  return values;
}

}  // namespace

void bind_engine(nb::module_& module) {
  nb::class_<Model>(module, "Model")
      .def_static("load", &load_model)
      .def_prop_ro("name", &Model::name)
      .def_prop_ro("trained", &Model::trained)
      .def_prop_ro("presets", &Model::preset_names)
      .def_prop_ro("default_preset", &Model::default_preset);
  nb::class_<Engine>(module, "Engine")
      .def_prop_ro("settings", &settings_of)
      .def_prop_ro("batch_size", &Engine::batch_size)
      .def("take_notices", &Engine::take_notices)
      .def("start", &start);
  nb::class_<Job>(module, "Job").def("wait", &Job::wait);
  module.def("make_engine", &make_engine);
  // Bytes, as names of files need not be UTF-8.
  module.def("find_model", [](const nb::bytes& name_or_path) {
    return find_model(std::string(name_or_path.c_str(), name_or_path.size()));
  });
  module.def("setting_infos", [] {
    std::vector<std::tuple<std::string, std::string, std::string>> infos;
    for (const SettingInfo& info : setting_infos()) {
      infos.emplace_back(info.name, info.allowed, info.help);
    }
    return infos;
  });
}

}  // namespace diffie::python
