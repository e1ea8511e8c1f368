#!/usr/bin/env bash
# no_cuda_test.sh FILE...: built without CUDA, programs and libraries have nothing of it: no library, no symbol, no name of one.
set -euo pipefail

for file in "$@"; do
  found=$(grep -aoE 'libcuda[a-z]*|cublas[A-Za-z]*|cuda(Malloc|Memcpy|Stream|GetDevice)[A-Za-z]*|_ZN6diffie4cuda' "$file" | sort -u || true)
  [ -z "$found" ] || { echo "$file: has something of CUDA:" $found; exit 1; }
done
echo "no CUDA: $# files"
