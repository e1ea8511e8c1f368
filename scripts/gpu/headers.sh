#!/usr/bin/env bash
# Copies the headers that a GPU machine may lack (OpenSSL's, whose libcrypto.so.3 comes with its Python, and those of
# toml++, which are all of it) to build/gpu-headers, where build.sh looks for them. The folder travels with the sources:
#   scripts/gpu/headers.sh
# Needs libssl-dev and libtomlplusplus-dev.
set -euo pipefail
cd "$(dirname "$0")/../.."
to=build/gpu-headers
mkdir -p "$to"
# Debian keeps what differs between machines in a folder of its own.
cp -rL /usr/include/toml++ /usr/include/openssl "/usr/include/$(g++ -print-multiarch)/openssl" "$to"
echo "$to"
