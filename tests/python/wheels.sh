#!/usr/bin/env bash
# Wheels: the one for the stable ABI and one for a single version, checked by abi3audit, made whole by
# auditwheel, and tried in a fresh environment. Versions of Python that are not there are left out, by name.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools=$PWD/build/venv/bin
out=$PWD/build/wheels
rm -rf "$out"

# Prints the interpreter of a version, of the system's or of pyenv's.
find_python() {
  local version
  if "python$1" -c '' 2>/dev/null; then command -v "python$1"; return; fi
  command -v pyenv >/dev/null || return 0
  version=$(pyenv versions --bare | grep "^${1//./\\.}\." | tail -n 1) || return 0
  PYENV_VERSION=$version pyenv which python3
}

try_wheel() {  # WHEEL PYTHON
  local fresh=$out/fresh-$(basename "$2")-$RANDOM
  "$2" -m venv "$fresh"
  "$fresh/bin/pip" install -q --disable-pip-version-check "$1"
  (cd / && env -u DIFFIE_MODELS "$fresh/bin/python" "$OLDPWD/tests/python/typed_example.py")
  rm -rf "$fresh"
}

built=""
for version in 3.10 3.12; do
  python=$(find_python $version)
  if [ -z "$python" ]; then echo "wheels: no Python $version here, left out"; continue; fi
  CC=${CC:-cc} CXX=${CXX:-c++} "$python" -m pip wheel -q --disable-pip-version-check --no-deps -w "$out/built" .
  built=yes
done
[ -n "$built" ] || { echo "wheels: nothing to build with"; exit 0; }

for wheel in "$out"/built/*.whl; do
  case $wheel in *-abi3-*) "$tools/abi3audit" --strict --summary "$wheel" ;; esac
  PATH=$tools:$PATH "$tools/auditwheel" -q repair -w "$out" "$wheel"
done
ls -s --block-size=MB "$out"/*.whl

for version in 3.10 3.12 3.13; do
  python=$(find_python $version)
  [ -n "$python" ] || continue
  case $version in
    3.10) wheel=$(ls "$out"/*-cp310-cp310-*.whl) ;;
    *) wheel=$(ls "$out"/*-cp312-abi3-*.whl) ;;
  esac
  try_wheel "$wheel" "$python"
  echo "wheels: $(basename "$wheel") works with Python $version"
done
