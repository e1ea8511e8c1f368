#!/usr/bin/env bash
# The Python package as its users get it: installed by pip from this checkout, into build/venv. Then its
# tests, the examples in its docstrings and in the documents, and its types.
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=$PWD/build/venv

[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
scripts/pip-install.sh "$venv/bin/python" tests/python/requirements.txt
# The compiler by the name that CMake takes by itself, so that the cache knows what it has compiled.
CC=${CC:-cc} CXX=${CXX:-c++} "$venv/bin/pip" install -q --disable-pip-version-check --no-deps .

cd tests/python
"$venv/bin/python" -m pytest -q "$@" .
"$venv/bin/python" -m pytest -q --doctest-modules --doctest-ignore-import-errors --pyargs diffie
cd ../..
"$venv/bin/mypy" -p diffie
"$venv/bin/mypy" tests/python/typed_example.py
"$venv/bin/pyright" --pythonpath "$venv/bin/python" tests/python/typed_example.py
