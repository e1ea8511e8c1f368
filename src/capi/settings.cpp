#include "diffie/settings.h"

#include "capi/guard.h"
#include "capi/handles.h"

using namespace diffie::capi;

namespace {

const std::vector<diffie::SettingInfo>& infos() {
  static const std::vector<diffie::SettingInfo> all = diffie::setting_infos();
  return all;
}

}  // namespace

size_t diffie_setting_count(void) {
  size_t count = 0;
  guarded([&] { count = infos().size(); });
  return count;
}

diffie_status diffie_setting_describe(size_t index, diffie_setting_info* info) {
  return guarded([&] {
    require(info, "info");
    require_index("index", index, infos().size());
    const diffie::SettingInfo& setting = infos()[index];
    diffie_setting_info value{};
    value.name = setting.name.c_str();
    value.allowed = setting.allowed.c_str();
    value.help = setting.help.c_str();
    fill(info, value, offsetof(diffie_setting_info, help) + sizeof value.help);
  });
}

diffie_status diffie_settings_new(const diffie_model* model, const char* preset,
                                  diffie_settings** settings) {
  return guarded([&] {
    require(settings, "settings");
    *settings = nullptr;
    require(model, "model");
    auto made = std::make_unique<diffie_settings>();
    made->values = model->model->settings(preset == nullptr ? "" : preset);
    *settings = made.release();
  });
}

void diffie_settings_free(diffie_settings* settings) {
  const std::unique_ptr<diffie_settings> owned(settings);
}

diffie_status diffie_settings_set(diffie_settings* settings, const char* name, const char* value) {
  return guarded([&] {
    require(settings, "settings");
    require(name, "name");
    require(value, "value");
    diffie::Settings changed = settings->values;
    diffie::set_setting(changed, name, value);
    settings->values = std::move(changed);
  });
}

diffie_status diffie_settings_get(diffie_settings* settings, const char* name, const char** value) {
  return guarded([&] {
    require(value, "value");
    *value = nullptr;
    require(settings, "settings");
    require(name, "name");
    settings->shown = diffie::get_setting(settings->values, name);
    *value = settings->shown.c_str();
  });
}
