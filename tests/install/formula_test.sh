#!/usr/bin/env bash
# formula_test.sh: the Homebrew formula is Ruby in the style that `brew style` asks for. Homebrew cannot be had here:
# RuboCop checks what is common style, this file what its own rules add.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
scripts/install-deps.sh rubocop
fail() { echo "FAILED: $*" >&2; exit 1; }
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
tar -czf "$temp/diffie-0.1.0.tar.gz" LICENSE
formula=$temp/diffie.rb
packaging/homebrew/make_formula.sh "https://example.org/" "https://example.org/diffie-0.1.0.tar.gz" "$temp/diffie-0.1.0.tar.gz" > "$formula"

! grep -q '@[A-Z0-9]*@' "$formula" || fail "not filled in: $(grep '@[A-Z0-9]*@' "$formula")"
ruby -c "$formula" > /dev/null
rubocop --config "$here/rubocop.yml" "$formula" > "$temp/log" || { cat "$temp/log"; fail "style"; }

# in_order WHAT LINE...: the lines, as they are, are sorted.
in_order() { [ "$(printf '%s\n' "${@:2}")" = "$(printf '%s\n' "${@:2}" | LC_ALL=C sort -f)" ] || fail "$1 out of order: ${*:2}"; }
mapfile -t build < <(sed -n 's/^  depends_on "\(.*\)" => :build$/\1/p' "$formula")
mapfile -t normal < <(grep '^  depends_on' "$formula" | grep -v '=>' | sed 's/^  depends_on [":]\([^" ]*\).*/\1/')
in_order "build dependencies" "${build[@]}"
in_order "dependencies" "${normal[@]}"
parts=$(grep -oE '^  (desc|homepage|url|sha256|license|head|depends_on|def install|test do)' "$formula" | uniq | xargs)
[ "$parts" = "desc homepage url sha256 license depends_on def install test do" ] || fail "parts out of order: $parts"
desc=$(sed -n 's/^  desc "\(.*\)"$/\1/p' "$formula")
[[ ${#desc} -le 80 && $desc =~ ^[A-Z] && ! $desc =~ \.$ && ! $desc =~ ^(A|An|The)\  && ! ${desc,,} =~ ^diffie ]] || fail "desc: $desc"
echo "formula: all well"
