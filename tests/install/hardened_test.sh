#!/usr/bin/env bash
# hardened_test.sh FILE...: programs and shared libraries are built as SECURITY.md says.
set -euo pipefail

for file in "$@"; do
  fail() { echo "$file: $1" >&2; exit 1; }
  header=$(readelf -hW "$file")
  segments=$(readelf -lW "$file")
  dynamic=$(readelf -dW "$file")
  symbols=$(readelf --dyn-syms -W "$file")
  grep -q 'Type: *DYN' <<< "$header" || fail 'not position-independent'
  grep -q GNU_RELRO <<< "$segments" || fail 'relocations are not read-only (RELRO)'
  grep -Eq 'BIND_NOW|FLAGS_1.*NOW' <<< "$dynamic" || fail 'functions are not bound at the start (BIND_NOW)'
  grep -Eq 'GNU_STACK .* RW ' <<< "$segments" || fail 'the stack can be executed'
  ! grep -Eq 'LOAD .* RWE ' <<< "$segments" || fail 'a segment can be written and executed'
  ! grep -q TEXTREL <<< "$dynamic" || fail 'its code is relocated (TEXTREL)'
  grep -q __stack_chk_fail <<< "$symbols" || fail 'no stack protector'
  grep -Eq '__(read|memcpy|memset|snprintf|strcpy|memmove|poll|fread|vsnprintf)_chk' <<< "$symbols" ||
    fail 'no _FORTIFY_SOURCE'
done
echo "hardened: $# files"
