#!/usr/bin/env bash
# package_test.sh PACKAGE.deb: it names what it needs, holds what it should, and runs where it is unpacked.
set -euo pipefail
package=$1
unset DIFFIE_MODELS LD_LIBRARY_PATH
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

for needed in libc6 libstdc++6 libfmt libicu libssl; do
  dpkg-deb -f "$package" Depends | grep -qF "$needed" || fail "does not depend on $needed"
done
dpkg-deb -x "$package" "$temp/root"
for file in bin/diffie include/diffie.h include/diffie/extractor.h share/diffie/models/small/config.json \
  share/diffie/models/base/config.json share/diffie/bert-base-uncased/vocab.txt share/doc/diffie/copyright; do
  [ -f "$temp/root/usr/$file" ] || fail "holds no /usr/$file"
done
! grep -rlF "$(cd "$(dirname "$0")/../.." && pwd)" "$temp"/root/usr/{bin/diffie,lib} || fail "names the folder it was built in"

cd "$temp"
ln -s root/usr/bin/diffie link
echo "Marie Curie discovered polonium in 1898." | ./link extract --format tsv - | grep -q polonium || fail "finds no triple"
./link serve --help | grep -q -- --port || fail "does not hand over to diffie-server"
./link score --help | grep -qi carb || fail "does not hand over to diffie-lab"
triplet=$(basename "$(dirname "$(find root -name libdiffie.a)")")
[ -f "root/usr/lib/$triplet/pkgconfig/diffie.pc" ] || fail "pkg-config would not look where its file is"
echo "$(basename "$package"): all well"
