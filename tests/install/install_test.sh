#!/usr/bin/env bash
# install_test.sh BUILD_DIR C_COMPILER CXX_COMPILER: installs the build, moves the prefix, and uses it as others
# would: the program from anywhere, the library from a foreign project, through CMake and pkg-config, shared and
# static, from C++ and C.
set -euo pipefail
build=$(cd "$1" && pwd)
export CC=$2 CXX=$3
unset DIFFIE_MODELS LD_LIBRARY_PATH
consumer=$(cd "$(dirname "$0")/consumer" && pwd)
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

fail() { echo "FAILED: $*" >&2; exit 1; }
step() { echo "-- $*"; }

step "install, then move the prefix"
for component in libraries development runtime; do
  cmake --install "$build" --prefix "$temp/first" --component "$component" > "$temp/install.log"
done
prefix="$temp/second"
mv "$temp/first" "$prefix"
libdir=$(dirname "$(find "$prefix" -name libdiffie.a)")
[ ! -e "$prefix/include/diffie/lab" ] || fail "headers of the lab are installed"

step "every header compiles alone, diffie.h also as C99"
cd "$prefix/include"
for header in diffie.h diffie/*.h; do
  echo "#include <$header>" | "$CXX" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I. -x c++ -
done
echo "#include <diffie.h>" | "$CC" -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -I. -x c -

# expect_triple COMMAND...: it prints the triple that the sentence has.
expect_triple() {
  local out
  out=$("$@") || fail "exit code $? of: $*"
  [[ $out == *"Marie Curie"*discovered*polonium* ]] || fail "no triple from: $*; it printed: $out"
}

step "the program, from another folder and through links"
mkdir -p "$temp/elsewhere/small" "$temp/links"
cd "$temp/elsewhere"
echo "Marie Curie discovered polonium in 1898." > text.txt
ln -s "$prefix/bin/diffie" "$temp/links/absolute"
ln -s ../second/bin/diffie "$temp/links/relative"
ln -s relative "$temp/links/twice"
for program in "$prefix/bin/diffie" ../second/bin/diffie "$temp"/links/*; do
  expect_triple "$program" extract --format tsv text.txt
  "$program" tokenize text.txt | grep -q polo || fail "$program tokenize finds no vocabulary"
done
PATH="$prefix/bin:$PATH" expect_triple diffie extract --format tsv text.txt

# consumer_of KIND PROGRAM...: they give the triple, and link libdiffie.so or not.
consumer_of() {
  local kind=$1 program
  shift
  for program in "$@"; do
    if [ "$kind" = shared ]; then
      readelf -d "$program" | grep -q 'NEEDED.*libdiffie\.so' || fail "$program does not link the shared library"
      expect_triple "$program"
    else
      readelf -d "$program" | grep -q libdiffie && fail "$program links the shared library"
      DIFFIE_MODELS="$prefix/share/diffie/models" expect_triple "$program"
    fi
  done
}

# configure FOLDER OPTION...: the foreign project.
configure() { cmake -S "$consumer" -B "$1" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release "${@:2}"; }
version=$("$prefix/bin/diffie" --version | cut -d ' ' -f 2)

for kind in shared static; do
  step "find_package, $kind"
  static=OFF
  [ $kind = shared ] || static=ON
  configure "$temp/$kind" -Ddiffie_USE_STATIC_LIBS=$static -DWANTED_VERSION="$version" > "$temp/log" 2>&1 || { cat "$temp/log"; fail "configure, $kind"; }
  grep -q "no target" "$temp/log" && fail "$(grep "no target" "$temp/log")"
  grep -q "models: $prefix/share/diffie/models" "$temp/log" || fail "diffie_MODELS_DIR is not $prefix/share/diffie/models"
  cmake --build "$temp/$kind" > "$temp/log" 2>&1 || { cat "$temp/log"; fail "build, $kind"; }
  consumer_of $kind "$temp/$kind/consumer_cpp" "$temp/$kind/consumer_c"
done

configure "$temp/future" -DWANTED_VERSION=99.0 > "$temp/log" 2>&1 && fail "version 99 is found"

step "find_package, shared, where nothing is installed that only the static library needs"
configure "$temp/bare" -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON \
  -DCMAKE_DISABLE_FIND_PACKAGE_ICU=ON > "$temp/log" 2>&1 || { cat "$temp/log"; fail "configure without fmt"; }
cmake --build "$temp/bare" --target consumer_c > "$temp/log" 2>&1 || { cat "$temp/log"; fail "build without fmt"; }
consumer_of shared "$temp/bare/consumer_c"

step "pkg-config"
export PKG_CONFIG_PATH="$libdir/pkgconfig"
cflags=$(pkg-config --cflags diffie)
shared_libs="$(pkg-config --libs diffie) -Wl,-rpath,$(pkg-config --variable=libdir diffie)"
static_libs=$(pkg-config --static --libs diffie | sed 's/-ldiffie/-l:libdiffie.a/')
for kind in shared static; do
  libs=${kind}_libs
  "$CXX" -std=c++20 "$consumer/main.cpp" $cflags ${!libs} -o "$temp/pkg_cpp"
  "$CC" -std=c99 "$consumer/main.c" $cflags ${!libs} -o "$temp/pkg_c"
  consumer_of $kind "$temp/pkg_cpp" "$temp/pkg_c"
done

step "the programs in docs/install.md"
# code LANGUAGE: the block of that language.
code() { awk -v fence="\`\`\`$1" '$0 == "```" { on = 0 } on { print } $0 == fence { on = 1 }' "$consumer/../../../docs/install.md"; }
code cpp > "$temp/doc.cpp"
code c > "$temp/doc.c"
"$CXX" -std=c++20 -Wall -Wextra -Werror "$temp/doc.cpp" $cflags $shared_libs -o "$temp/doc_cpp"
"$CC" -std=c99 -pedantic -Wall -Wextra -Werror "$temp/doc.c" $cflags $shared_libs -o "$temp/doc_c"
for program in "$temp/doc_cpp" "$temp/doc_c"; do
  "$program" | grep -q "Ada | wrote | the first program" || fail "$program finds no triple"
done

[ -e "$(pkg-config --variable=models diffie)/small/config.json" ] || fail "pkg-config's models: no model there"
echo "all well"
