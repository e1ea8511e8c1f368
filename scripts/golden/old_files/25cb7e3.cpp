// Version 2 of ranker.json, the first that names its schema: 1.
#include "toy_ranker.h"

int main(int, char** argv) {
  write(std::filesystem::path(argv[1]) / "rankers/v2-schema-1.json", to_json(toy_ranker()));
}
