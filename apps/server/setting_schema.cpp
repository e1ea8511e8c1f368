#include "setting_schema.h"

#include <array>
#include <cstdint>

#include "extract_request.h"

namespace diffie::server {

using json = nlohmann::ordered_json;

const char* kind_name(SettingKind kind) {
  static constexpr std::array kNames = {"integer", "number", "name", "flag", "list", "seed"};
  return kNames[static_cast<std::size_t>(kind)];
}

json setting_value(const SettingInfo& info, const Settings& settings) {
  const std::string text = get_setting(settings, info.name);
  if (info.kind == SettingKind::kName) return text;
  if (info.kind == SettingKind::kList) return json::parse(text == "none" ? "[]" : "[" + text + "]");
  return json::parse(text);  // a number, true or false
}

json setting_schema(const SettingInfo& info) {
  json schema;
  const auto range = [&](json& place) {
    place[info.above_minimum ? "exclusiveMinimum" : "minimum"] = info.minimum;
    place["maximum"] = info.maximum;
  };
  switch (info.kind) {
    case SettingKind::kInteger:
      schema["type"] = "integer";
      range(schema);
      break;
    case SettingKind::kNumber:
      schema["type"] = "number";
      range(schema);
      break;
    case SettingKind::kName:
      schema["type"] = "string";
      schema["enum"] = info.names;
      break;
    case SettingKind::kFlag:
      schema["type"] = "boolean";
      break;
    case SettingKind::kList:
      schema["type"] = "array";
      schema["items"]["type"] = "integer";
      range(schema["items"]);
      schema["maxItems"] = kMaxListNumbers;
      break;
    case SettingKind::kSeed:
      schema["type"] = "integer";
      schema["minimum"] = 0;
      schema["maximum"] = UINT64_MAX;
      break;
  }
  schema["description"] = info.help;
  return schema;
}

}  // namespace diffie::server
