#!/usr/bin/env bash
# exports_test.sh LIBRARY INCLUDE_DIR: the shared library shows what the public headers declare, and nothing
# else. Template instances of the standard library come with it, weak, as in every C++ library.
set -euo pipefail
library=$1
include=$2

status=0
fail() { echo "$*" >&2; status=1; }

exported=$(nm -DC --defined-only "$library" | cut -d ' ' -f 2-)
[ -n "$exported" ] || fail "$library exports nothing"

while read -r kind symbol; do
  case $symbol in
    diffie_*)
      grep -qE "DIFFIE_C_API .*\b$symbol\(" "$include/diffie.h" || fail "not in diffie.h: $symbol" ;;
    diffie::* | "typeinfo for diffie::"* | "typeinfo name for diffie::"* | "vtable for diffie::"*)
      name=${symbol#* for }
      name=${name#diffie::}
      [[ $name =~ ^[a-z_]+:: || $name =~ ^[A-Za-z]+::Impl ]] && fail "private: $symbol"
      name=${name%%[^A-Za-z_]*}
      grep -qE "DIFFIE_API .*\b$name\b|(struct|class) $name " "$include"/diffie/*.h || fail "not public: $symbol" ;;
    *)
      [[ $kind =~ ^[WVu]$ && $symbol =~ (^|\ )(std|__gnu_cxx):: ]] || fail "not ours: $kind $symbol" ;;
  esac
done <<< "$exported"

functions=$(grep -oE '\bdiffie_[a-z_]+\(' "$include/diffie.h" | tr -d '(' | sort -u)
for function in $functions; do
  grep -qx "T $function" <<< "$exported" || fail "not exported: $function"
done
# Without it nobody could catch what we throw.
grep -q "typeinfo for diffie::Error" <<< "$exported" || fail "typeinfo of diffie::Error is hidden"

readelf -d "$library" | grep -qE 'SONAME.*\[libdiffie\.so\.[0-9]+\.[0-9]+\]' || fail "no SONAME of the form libdiffie.so.MAJOR.MINOR"
exit $status
