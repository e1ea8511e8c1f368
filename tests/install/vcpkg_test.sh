#!/usr/bin/env bash
# vcpkg_test.sh: the port builds, static and dynamic, and a foreign project links what it gives. vcpkg itself is in
# no package that can be had here: vcpkg/run_port.cmake stands in for it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
fail() { echo "FAILED: $*" >&2; exit 1; }
version=$(sed -n 's/^project(diffie VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
grep -qF "\"version\": \"$version\"" packaging/vcpkg/ports/diffie/vcpkg.json || fail "vcpkg.json is not of version $version"

root=$PWD/build/vcpkg
for linkage in static dynamic; do
  echo "-- port, $linkage"
  rm -rf "$root/package" "$root/installed" "$root/consumer"
  mkdir -p "$root/$linkage"
  cmake -DLINKAGE=$linkage -DBUILD="$root/$linkage" -DPACKAGE="$root/package" -P "$here/vcpkg/run_port.cmake"
  mv "$root/package" "$root/installed"  # as vcpkg moves it
  for wrong in bin debug lib/cmake; do
    [ ! -e "$root/installed/$wrong" ] || fail "$linkage: $wrong is there"
  done
  suffix=so
  [ $linkage = dynamic ] || suffix=a
  [ "$(find "$root/installed/lib" -name 'libdiffie.*' -type f | grep -c "\.$suffix")" = 1 ] || fail "$linkage: not one libdiffie.$suffix"
  [ -s "$root/installed/share/diffie/copyright" ] || fail "$linkage: no copyright"

  cmake -S "$here/consumer" -B "$root/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$root/installed" > "$root/log" 2>&1 || { cat "$root/log"; fail "configure"; }
  models=$(sed -n 's/^-- models: //p' "$root/log")
  cmake --build "$root/consumer" > "$root/log" 2>&1 || { cat "$root/log"; fail "build"; }
  for program in consumer_cpp consumer_c; do
    DIFFIE_MODELS=$models "$root/consumer/$program" | grep -q polonium || fail "$linkage: $program finds no triple"
  done
done
echo "vcpkg: all well"
