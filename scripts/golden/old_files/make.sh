#!/usr/bin/env bash
# Writes the files of tests/old_files with the programs of their time: takes the sources of a commit out of the
# repository's history, compiles those that write files together with COMMIT.cpp from this folder, and runs the result.
#   scripts/golden/old_files/make.sh OUT [COMMIT...]
set -euo pipefail
cd "$(dirname "$0")"
here=$PWD
mkdir -p "$1/models"
out=$(cd "$1" && pwd)
shift
cd "$(git rev-parse --show-toplevel)"

# Of src/, what the writers need.
declare -A sources=(
  [8efd16d]="core/error io/atomic_file io/expected_tensors io/half_float io/init_model io/mapped_file io/model_config
    io/model_dir io/model_dir_write io/model_files io/printable io/quantize io/random_weights io/safetensors
    io/safetensors_write io/sha256 io/sha256sums io/strict_json io/tensor_values io/vocabulary"
  [7d1b43f]="core/error extract/ranker extract/tree_ensemble io/mapped_file io/printable io/strict_json"
  [4d3cac7]="core/error data/training_file extract/ranker extract/tree_ensemble io/atomic_file io/expected_tensors
    io/half_float io/init_model io/json_text io/mapped_file io/model_config io/model_dir io/model_dir_write
    io/model_document io/model_files io/output io/printable io/quantize io/random_weights io/safetensors
    io/safetensors_write io/sha256 io/sha256sums io/simd/sha256_x86 io/strict_json io/tag_pool io/tensor_values
    io/vocabulary text/utf8"
  [25cb7e3]="core/error extract/ranker extract/tree_ensemble io/mapped_file io/printable io/strict_json"
  [c5c23c2]="base/error base/json_text base/printable base/utf8 checksums/sha256 checksums/sha256sums
    diffusion/diffusion_config extract/ranker extract/tree_ensemble files/atomic_file files/mapped_file
    files/read_file files/strict_json lab/data/training_file lab/models/init_model lab/models/model_dir_write
    lab/models/model_document lab/models/quantize lab/models/random_weights lab/models/safetensors_write
    lab/pools/tag_pool model_dir/expected_tensors model_dir/half_float model_dir/model_config model_dir/model_dir
    model_dir/preset_json model_dir/safetensors model_dir/tensor_values model_dir/vocabulary output/output
    facts/factuality
    settings/fields settings/settings"
)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for commit in "${@:-${!sources[@]}}"; do
  mkdir "$work/$commit"
  git archive "$commit" src include | tar x -C "$work/$commit"
  cd "$work/$commit"
  printf 'src/%s.cpp\n' ${sources[$commit]} |
    xargs -P "${JOBS:-2}" -I{} sh -c "${CXX:-g++} -std=c++20 -O0 -ffunction-sections -msha -msse4.1 -Isrc -Iinclude -c {} -o \$(echo {} | tr / _).o"
  g++ -std=c++20 -O0 -Isrc -Iinclude "$here/$commit.cpp" ./*.o -Wl,--gc-sections -lfmt -lcrypto -pthread -o make
  ./make "$out" "$here/vocab.txt"
  cd - > /dev/null
done
