// Version 1 of ranker.json, from before there were implied words: 86 features, no schema.
#include "toy_ranker.h"

int main(int, char** argv) {
  write(std::filesystem::path(argv[1]) / "rankers/v1-86-features.json", to_json(toy_ranker()));
}
