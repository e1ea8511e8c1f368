// Files broken by hand, each through the loading of a whole model with sums that match.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "corrupt/victim.h"
#include "expect_error.h"

namespace diffie {
namespace {

using nlohmann::json;
using test::Victim;
using Break = std::function<void(json&)>;
constexpr auto kCorrupt = ErrorCode::kCorruptModel;

// model.safetensors taken apart.
struct Weights {
  json header;
  std::string data;

  explicit Weights(const std::string& bytes) {
    std::size_t length = 0;
    for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<unsigned char>(bytes[i]);
    header = json::parse(bytes.substr(8, length));
    data = bytes.substr(8 + length);
  }

  std::string bytes() const {
    const std::string text = header.dump();
    std::string out;
    for (int shift = 0; shift < 64; shift += 8)
      out += static_cast<char>(text.size() >> shift & 0xff);
    return out + text + data;
  }
};

void expect_refused_weights(const char* fragment, const std::function<void(Weights&)>& damage) {
  Victim victim;
  Weights weights(victim.read("model.safetensors"));
  damage(weights);
  victim.write("model.safetensors", weights.bytes());
  EXPECT_ERROR(Model::load(victim.path()), kCorrupt, fragment);
  EXPECT_FALSE(verify_model(victim.path()).empty());
}

void expect_refused_json(const char* file, const char* fragment, const Break& damage,
                         ErrorCode code = kCorrupt) {
  Victim victim;
  json root = json::parse(victim.read(file));
  damage(root);
  victim.write(file, root.dump());
  EXPECT_ERROR(Model::load(victim.path()), code, fragment);
  EXPECT_FALSE(verify_model(victim.path()).empty());
}

constexpr const char* kHead = "denoiser.head.bias";  // [4]
constexpr std::uint64_t kHuge = 1ull << 32;

TEST(BrokenWeights, HeadersThatLieAreRefused) {
  const auto refuse = expect_refused_weights;
  refuse("needs 2^64 or more", [](Weights& w) { w.header[kHead]["shape"] = {kHuge, kHuge}; });
  refuse("needs", [](Weights& w) { w.header[kHead]["shape"] = {kHuge, kHuge, 0}; });
  refuse("overlap", [](Weights& w) { w.header[kHead]["data_offsets"] = {0, 16}; });
  refuse("lies at", [](Weights& w) { w.header[kHead]["data_offsets"] = {~0ull - 15, ~0ull}; });
  refuse("lies at", [](Weights& w) { w.header[kHead]["data_offsets"] = {16, 0}; });
  refuse("data bytes", [](Weights& w) { w.data += "behind"; });
  refuse("hole", [](Weights& w) {
    const std::uint64_t end = w.data.size();
    w.data += std::string(32, '\0');
    w.header["more"] = {{"dtype", "F32"}, {"shape", {4}}, {"data_offsets", {end + 16, end + 32}}};
  });
  refuse("'denoiser.head.bias' is missing", [](Weights& w) {
    w.header["denoiser.head.bios"] = w.header[kHead];
    w.header.erase(kHead);
  });
  refuse("belongs to nothing", [](Weights& w) {
    const std::uint64_t end = w.data.size();
    w.data += std::string(16, '\0');
    w.header["more"] = {{"dtype", "F32"}, {"shape", {4}}, {"data_offsets", {end, end + 16}}};
  });
  refuse("is I32", [](Weights& w) { w.header[kHead]["dtype"] = "I32"; });
  refuse("dtype", [](Weights& w) { w.header[kHead]["dtype"] = "F64"; });
  refuse("wanted [4]", [](Weights& w) { w.header[kHead]["shape"] = {2, 2}; });
  refuse("wanted an object", [](Weights& w) { w.header = json::array(); });
}

TEST(BrokenWeights, ATensorTwiceIsRefused) {
  Victim victim;
  const Weights weights(victim.read("model.safetensors"));
  std::string text = weights.header.dump();
  text.insert(text.size() - 1, fmt::format(",\"{}\":{}", kHead, weights.header.at(kHead).dump()));
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8)
    bytes += static_cast<char>(text.size() >> shift & 0xff);
  victim.write("model.safetensors", bytes + text + weights.data);
  EXPECT_ERROR(Model::load(victim.path()), kCorrupt, "appears twice");
}

TEST(BrokenWeights, HeaderLengthsThatWrapAreRefused) {
  Victim victim;
  const std::string whole = victim.read("model.safetensors");
  const std::vector<std::uint64_t> lengths = {
      ~0ull, ~0ull - 7, 1ull << 63, (1ull << 63) - 8, whole.size(), whole.size() - 7, 0};
  for (const std::uint64_t length : lengths) {
    std::string bytes = whole;
    for (int i = 0; i < 8; ++i) bytes[i] = static_cast<char>(length >> 8 * i & 0xff);
    victim.write("model.safetensors", bytes);
    EXPECT_FALSE(victim.loads()) << length;
  }
}

TEST(BrokenWeights, ValuesThatAreNoWeightsAreRefused) {
  for (const auto& [bits, fragment] : {std::pair{0x7fc00000u, "not finite"},
                                       {0x7f800000u, "not finite"},
                                       {0xff800000u, "not finite"},
                                       {0x7f7fffffu, "beyond 1024"},
                                       {0xc4800001u, "beyond 1024"}}) {
    expect_refused_weights(fragment, [&, value = bits](Weights& w) {
      const auto at = w.header[kHead]["data_offsets"][0].get<std::size_t>();
      for (int i = 0; i < 4; ++i) w.data[at + i] = static_cast<char>(value >> 8 * i & 0xff);
    });
  }
}

TEST(BrokenConfig, IsRefused) {
  const auto refuse = [](const char* fragment, const Break& damage) {
    expect_refused_json("config.json", fragment, damage);
  };
  expect_refused_json(
      "config.json", "version 5", [](json& c) { c["version"] = 5; }, ErrorCode::kUnsupported);
  refuse("encoder.layers", [](json& c) { c["encoder"]["layers"] = 65; });
  refuse("encoder.hidden", [](json& c) { c["encoder"]["hidden"] = 1ull << 63; });
  refuse("encoder.hidden", [](json& c) { c["encoder"]["hidden"] = -1; });
  refuse("encoder.hidden", [](json& c) { c["encoder"]["hidden"] = 4294967297; });
  refuse("denoiser.heads", [](json& c) { c["denoiser"]["heads"] = 0; });
  refuse("is missing", [](json& c) { c["denoiser"]["layers"] = 64; });
  refuse("wanted [8192", [](json& c) { c["encoder"]["max_positions"] = 8192; });
  refuse("vocab", [](json& c) { c["encoder"]["vocab_size"] = 1'000'001; });
  refuse("diffusion.steps", [](json& c) { c["diffusion"]["steps"] = 1e300; });
  refuse("weights", [](json& c) { c["weights"] = {"../model.safetensors"}; });
  refuse("listed in SHA256SUMS", [](json& c) { c["weights"].push_back("b.safetensors"); });
  refuse("name", [](json& c) { c["name"] = std::string(257, 'x'); });
  refuse("unknown key", [](json& c) { c["extra"] = 1; });
}

TEST(BrokenJson, DeepNestingIsRefused) {
  for (const char* file : {"config.json", "ranker.json"}) {
    Victim victim;
    victim.write(file, std::string(200'000, '['));
    EXPECT_ERROR(Model::load(victim.path()), kCorrupt, "nested deeper");
    std::string objects;
    for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
    victim.write(file, objects);
    EXPECT_ERROR(Model::load(victim.path()), kCorrupt, "nested deeper");
  }
}

TEST(BrokenRanker, IsRefused) {
  const auto refuse = [](const char* fragment, const Break& damage) {
    expect_refused_json("ranker.json", fragment, damage);
  };
  // Trees are complete: children are found by counting, so no file can say a cycle. What it can say
  // is an index into the features, a depth, a number of trees.
  refuse("feature 88", [](json& r) { r["worth"]["features"][0] = 88; });
  refuse("feature", [](json& r) { r["worth"]["features"][0] = 1e308; });
  refuse("feature", [](json& r) { r["worth"]["features"][0] = -0.5; });
  refuse("depth", [](json& r) { r["worth"]["depth"] = 64; });
  refuse("trees", [](json& r) { r["worth"]["trees"] = 1ull << 60; });
  refuse("wanted 5", [](json& r) { r["worth"]["trees"] = 5; });
  refuse("unknown key", [](json& r) { r["worth"]["children"] = {0, 0}; });
  refuse("leaves", [](json& r) { r["worth"]["leaves"][0] = 1e39; });
  refuse("knot 1", [](json& r) { r["calibration"]["scores"] = {1, 1}; });
  refuse("calibration", [](json& r) { r["calibration"]["scores"] = json::array(); });
  expect_refused_json(
      "ranker.json", "version 4", [](json& r) { r["version"] = 4; }, ErrorCode::kUnsupported);
}

TEST(BrokenVocabulary, IsRefused) {
  const std::string whole = Victim().read("vocab.txt");
  for (const std::string& text :
       {whole + "\n", whole + "the\n", whole + "\xff\n", whole + "more\n", std::string("the\n"),
        std::string(6, '\n'), std::string("[PAD]\n[UNK]\n[CLS]\nsep\nthe\n##s\n"),
        "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n" + std::string(513, 'x') + "\n"}) {
    Victim victim;
    victim.write("vocab.txt", text);
    EXPECT_FALSE(victim.loads()) << text.substr(0, 80);
  }
}

TEST(BrokenSums, AreRefused) {
  Victim victim;
  test::write_file(victim.file("vocab.txt"), victim.read("vocab.txt") + " ");
  EXPECT_ERROR(Model::load(victim.path()), kCorrupt, "vocab.txt: SHA-256 is");
  std::filesystem::remove(victim.file("SHA256SUMS"));
  EXPECT_ERROR(Model::load(victim.path()), ErrorCode::kNotFound, "SHA256SUMS");
}

// A model in use has read its files, or keeps them open: they may change or go. What becomes of one
// that is cut short in place: changing_weights_test.cpp.
TEST(ModelInUse, DoesNotMindWhatHappensToItsFiles) {
  Victim victim;
  const auto model = Model::load(victim.path());
  Settings settings = model->settings();
  settings.threads = 1;
  const auto triples = [&](Precision precision) {
    settings.precision = precision;  // the first use of each packs its weights
    return Extractor(model, settings).extract("the s the s").extractions.size();
  };
  const std::size_t before = triples(Precision::kInt8);
  for (const char* name : {"vocab.txt", "ranker.json", "config.json"})
    std::filesystem::resize_file(victim.file(name), 0);
  std::filesystem::remove(victim.file("model.safetensors"));
  test::write_file(victim.file("model.safetensors"), "");
  EXPECT_EQ(triples(Precision::kInt8), before);
  EXPECT_EQ(triples(Precision::kFp32), before);
  EXPECT_FALSE(victim.loads());
}

}  // namespace
}  // namespace diffie
