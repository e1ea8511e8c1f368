#!/usr/bin/env bash
# Copies the headers that a GPU machine may lack (OpenSSL's; libcrypto.so.3 itself comes with its Python) to
# build/gpu-headers, where build.sh looks for them. The folder travels with the sources:
#   scripts/gpu/headers.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
to=build/gpu-headers
mkdir -p "$to"
# Debian keeps what differs between machines in a folder of its own.
cp -rL /usr/include/openssl "/usr/include/$(g++ -print-multiarch)/openssl" "$to"
echo "$to"
