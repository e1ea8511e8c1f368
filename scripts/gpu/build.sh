#!/usr/bin/env bash
# Builds diffie-train on a machine with a CUDA build of PyTorch, into build/gpu.
#   scripts/gpu/build.sh [further cmake options]
# Takes the LibTorch that comes with `python3 -c 'import torch'`. With DIFFIE_TORCH=package,
# find_package(Torch) is used instead of the wheel's headers and libraries directly. Where the
# sources are no git checkout, DIFFIE_REVISION=... names the revision to record in models.
# Headers that headers.sh brought in build/gpu-headers are taken before the machine's own.
set -euo pipefail
cd "$(dirname "$0")/../.."

torch_dir=$(python3 -c 'import os, torch; print(os.path.dirname(torch.__file__))')
if [ "${DIFFIE_TORCH:-wheel}" = package ]; then
  torch_options=(-DCMAKE_PREFIX_PATH="$torch_dir/share/cmake")
else
  torch_options=(-DDIFFIE_TORCH_DIR="$torch_dir")
fi

cmake -S . -B build/gpu -G Ninja -DCMAKE_BUILD_TYPE=Release -DDIFFIE_TRAIN=ON -DDIFFIE_LAB=OFF \
  -DDIFFIE_SHARED=OFF -DDIFFIE_TESTS=OFF -DDIFFIE_BENCH=OFF -DDIFFIE_ICU=OFF -DDIFFIE_WERROR=OFF \
  -DDIFFIE_REVISION="${DIFFIE_REVISION:-}" \
  -DCMAKE_INCLUDE_PATH="$PWD/build/gpu-headers" "${torch_options[@]}" "$@"
cmake --build build/gpu --target diffie_train_cli -j "$(nproc)"
build/gpu/diffie-train --help > /dev/null
echo "built build/gpu/diffie-train with $torch_dir"
