#!/usr/bin/env bash
# Installs what building and testing needs, and the packages named as arguments, from Debian's packages;
# does nothing where all is there.
set -euo pipefail

packages=(g++ cmake ninja-build ccache pkg-config
  libcli11-dev libfmt-dev nlohmann-json3-dev libicu-dev libssl-dev zlib1g-dev libzstd-dev zstd
  libstemmer-dev wordnet-base libgtest-dev libgmock-dev "$@")

missing=()
for package in "${packages[@]}"; do
  # A line for each architecture that the package is there for.
  dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

run() { "$@"; }
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "missing: ${missing[*]} (run as root, or install sudo)" >&2; exit 1; }
  run() { sudo "$@"; }
fi
echo "installing: ${missing[*]}"
run env DEBIAN_FRONTEND=noninteractive apt-get update -qq
run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
