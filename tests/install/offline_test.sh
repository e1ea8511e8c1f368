#!/usr/bin/env bash
# offline_test.sh [--serves] FILE...: programs and shared libraries that call nothing of the network; with --serves
# they may answer, but call nobody.
set -euo pipefail

calling='connect|getaddrinfo|gethostbyname(2|_r|2_r)?|res_n?(query|search)'
functions="$calling|socket|socketpair|bind|listen|accept4?|send(to|msg|mmsg)?"
if [ "$1" = --serves ]; then
  functions=$calling
  shift
fi
for file in "$@"; do
  calls=$(readelf --dyn-syms -W "$file" | grep -E " UND ($functions)(@| |$)" || true)
  [ -z "$calls" ] || { echo "$file: calls the network:"; echo "$calls"; exit 1; }
done
echo "offline: $# files"
