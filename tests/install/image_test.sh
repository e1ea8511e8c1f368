#!/usr/bin/env bash
# image_test.sh: the Dockerfile builds, and its image finds triples, as nobody and with files of the caller's.
# By docker where its daemon runs; else by buildah on a base image made with debootstrap: the same steps, without
# docker's registry. As root.
set -euo pipefail
cd "$(dirname "$0")/../.."
fail() { echo "FAILED: $*" >&2; exit 1; }
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
mkdir "$temp/data"
chmod 755 "$temp" "$temp/data"
echo "Marie Curie discovered polonium in 1898." > "$temp/data/text.txt"

if docker info > /dev/null 2>&1; then
  docker build -q -t diffie-test . > /dev/null
  run() { docker run --rm -i --init -v "$temp/data:/data" diffie-test "$@"; }
  size=$(docker image inspect -f '{{.Size}}' diffie-test)
else
  scripts/install-deps.sh buildah debootstrap
  store=$PWD/build/image
  export BUILDAH_ISOLATION=chroot
  tool() { buildah --root "$store/storage" --runroot "$store/run" --storage-driver vfs "$@"; }
  if ! tool inspect debian:12-slim > /dev/null 2>&1; then
    [ -e "$store/base.tar" ] || {
      mkdir -p "$store"
      debootstrap --variant=minbase bookworm "$temp/base" > "$store/debootstrap.log" || { cat "$store/debootstrap.log"; exit 1; }
      tar -C "$temp/base" -cf "$store/base.tar" . && rm -rf "$temp/base"
    }
    base=$(tool from scratch)
    tool add -q "$base" "$store/base.tar" / > /dev/null
    tool commit -q "$base" docker.io/library/debian:12-slim > /dev/null
    tool rm "$base" > /dev/null
  fi
  tool bud -q --pull=never -t diffie-test . > "$store/build.log" 2>&1 || { tail -n 40 "$store/build.log"; fail "build"; }
  container=$(tool from --pull=never diffie-test)
  trap 'tool rm "$container" > /dev/null; rm -rf "$temp"' EXIT
  run() { tool run -v "$temp/data:/data" "$container" -- /usr/bin/diffie "$@"; }
  size=$(du -sb "$(tool mount "$container")" | cut -f 1)
fi

run extract --format tsv text.txt | grep -q polonium || fail "no triple from a file of the caller's"
run extract --format tsv - < "$temp/data/text.txt" | grep -q polonium || fail "no triple from standard input"
! run extract --format tsv /etc/shadow > /dev/null 2>&1 || fail "there is a password file"
[ "$size" -lt 100000000 ] || fail "the image has $size bytes"
echo "image: all well, $((size / 1000000)) MB"
