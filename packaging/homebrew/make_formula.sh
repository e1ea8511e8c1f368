#!/usr/bin/env bash
# make_formula.sh HOMEPAGE URL ARCHIVE: the formula of a release, on standard output. ARCHIVE is the .tar.gz that URL
# gives; its name must end in -VERSION.tar.gz, where Homebrew reads the version.
set -euo pipefail
[ $# -eq 3 ] || { sed -n 2,3p "$0" >&2; exit 2; }
sum=$(sha256sum "$3" | cut -d ' ' -f 1)
sed -e "s|@HOMEPAGE@|$1|" -e "s|@URL@|$2|" -e "s|@SHA256@|$sum|" "$(dirname "$0")/diffie.rb.in"
