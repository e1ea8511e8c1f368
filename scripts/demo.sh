#!/usr/bin/env bash
# Triples of a sample text, with the shipped model or, until one is shipped, with random weights.
set -euo pipefail
cd "$(dirname "$0")/.."

model=small
if [ ! -f models/small/config.json ]; then
  model=build/untrained
  [ -f "$model/config.json" ] || ./diffie model init "$model" --vocab share/bert-base-uncased/vocab.txt
fi
# A few sentences have time for the best that the model can do.
./diffie extract --model "$model" --preset best --min-confidence 0.3 share/demo/sample.txt
