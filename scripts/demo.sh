#!/usr/bin/env bash
# Triples of a sample text, with the shipped model.
set -euo pipefail
cd "$(dirname "$0")/.."

# A few sentences have time for the best that the model can do.
./diffie extract --model small --preset best --min-confidence 0.3 share/demo/sample.txt
