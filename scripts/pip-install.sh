#!/usr/bin/env bash
# pip-install.sh PYTHON REQUIREMENTS [OPTION...]: installs what a requirements.txt names. Where its lock holds (Python
# 3.11 on x86-64 Linux) each file must have the SHA-256 that stands there, elsewhere pip finds versions that fit.
set -euo pipefail

python=$1
requirements=$2
shift 2
lock=${requirements%.txt}.lock
here='import platform, sys; print(sys.platform, platform.machine(), *sys.version_info[:2])'
if [ "$("$python" -c "$here")" = 'linux x86_64 3 11' ]; then
  # The lock is all there is: of a dependency with an extra pip would look at newer versions, which have no sum.
  set -- "$@" --no-deps --require-hashes -r "$lock"
else
  set -- "$@" -r "$requirements"
fi
exec "$python" -m pip install --quiet --disable-pip-version-check "$@"
