// The models that the server answers with, by name; each may be loaded anew while it serves.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "diffie/extractor.h"
#include "extract_request.h"
#include "settings_options.h"

namespace diffie::server {

// What an operator is told.
using Tell = std::function<void(const std::string& message)>;

// A model as it was loaded. A request keeps the one it began with.
class ServedModel {
 public:
  ServedModel(std::string name, std::shared_ptr<const Model> model,
              const cli::SettingsOptions& options, const Tell& tell)
      : name_(std::move(name)), model_(std::move(model)), options_(options), tell_(tell) {}

  const std::string& name() const { return name_; }
  const std::shared_ptr<const Model>& model() const { return model_; }
  std::string preset(const Asked& asked) const;

  // The preset's values, the command line's and the request's over them. Throws HttpError 400.
  Settings settings(const Asked& asked) const;

  // An engine for these settings; the last ones that were asked for are kept. Threads: any.
  std::shared_ptr<const Extractor> extractor(const Settings& settings);  // throws HttpError
  std::shared_ptr<const Extractor> prepare(const Settings& settings);    // throws Error

  // Engines that nobody has had in the last five calls of this keep no memory for their work.
  void tidy();

 private:
  struct Kept {
    Settings settings;
    std::shared_ptr<const Extractor> extractor;
    int idle = 0;  // calls of tidy() since a request had it
  };

  std::string name_;
  std::shared_ptr<const Model> model_;
  const cli::SettingsOptions& options_;
  const Tell& tell_;
  std::mutex mutex_;
  std::list<Kept> kept_;  // the one used last first
};

class ServedModels {
 public:
  // Each is NAME, PATH or NAME=PATH. Throws what Model::load throws, and kInvalidArgument for a
  // name that comes twice, or is none in UTF-8. `options` must outlive it. `tell` is called from
  // any thread.
  ServedModels(const std::vector<std::string>& models, const cli::SettingsOptions& options,
               Tell tell);

  // "": the first. Throws HttpError 404. Threads: any.
  std::shared_ptr<ServedModel> find(const std::string& name) const;
  std::vector<std::shared_ptr<ServedModel>> all() const;

  // Once a second: what work has left behind, and nobody needs, goes back to the system. Lets no
  // exception out.
  void tidy() const;

  // Loads every model from its files again; one that fails stays as it was, and is told of.
  void reload();

 private:
  struct Source {
    std::string name;
    std::string place;
  };
  std::shared_ptr<ServedModel> load(const Source& source) const;

  const cli::SettingsOptions& options_;
  const Tell tell_;
  std::vector<Source> sources_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<ServedModel>> models_;  // as the sources
};

}  // namespace diffie::server
