#!/usr/bin/env bash
# Triples of a sample text, with the shipped model.
set -euo pipefail
cd "$(dirname "$0")/.."

# The default preset.
./diffie extract --model small share/demo/sample.txt
