#include "diffie/model.h"

#include "capi/guard.h"
#include "capi/handles.h"

using namespace diffie::capi;

diffie_status diffie_model_load(const char* name_or_path, diffie_model** model) {
  return guarded([&] {
    require(model, "model");
    *model = nullptr;
    require(name_or_path, "name_or_path");
    auto loaded = std::make_unique<diffie_model>();
    loaded->model = diffie::Model::load(diffie::find_model(name_or_path));
    loaded->presets = loaded->model->preset_names();
    *model = loaded.release();
  });
}

void diffie_model_free(diffie_model* model) { const std::unique_ptr<diffie_model> owned(model); }

const char* diffie_model_name(const diffie_model* model) {
  return model == nullptr ? "" : model->model->name().c_str();
}

int32_t diffie_model_trained(const diffie_model* model) {
  return model != nullptr && model->model->trained() ? 1 : 0;
}

size_t diffie_model_preset_count(const diffie_model* model) {
  return model == nullptr ? 0 : model->presets.size();
}

const char* diffie_model_preset_name(const diffie_model* model, size_t index) {
  return index < diffie_model_preset_count(model) ? model->presets[index].c_str() : "";
}

const char* diffie_model_default_preset(const diffie_model* model) {
  return model == nullptr ? "" : model->model->default_preset().c_str();
}
