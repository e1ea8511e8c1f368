#include <diffie/error.h>
#include <diffie/extractor.h>
#include <diffie/model.h>
#include <diffie/output.h>
#include <diffie/settings.h>
#include <diffie/text.h>
#include <diffie/version.h>

#include <iostream>
#include <string>

int main() {
  try {
    diffie::find_model("no-such-model");
    return 2;
  } catch (const diffie::Error& error) {  // across the library's boundary
    if (error.code() != diffie::ErrorCode::kNotFound) return 3;
  }
  const auto model = diffie::Model::load(diffie::find_model("small"));
  diffie::Settings settings = model->settings("balanced");
  diffie::set_setting(settings, "top_k", "1");
  const diffie::Extractor extractor(model, settings);
  const std::string text = "Marie Curie discovered polonium in 1898. She lived in Paris.";
  for (const diffie::Span& span : diffie::split_sentences(text)) {
    const std::string sentence = text.substr(span.begin, span.end - span.begin);
    for (const diffie::Extraction& found : extractor.extract(sentence).extractions) {
      std::cout << found.subject << " | " << found.relation << " | " << found.object << '\n';
    }
  }
}
