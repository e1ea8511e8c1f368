#!/usr/bin/env bash
# The server as its clients see it: its interface, its limits, its life, CoreNLP's clients, the page. Programs are
# DIFFIE_SERVER and DIFFIE, by default those of build/release; TESTS are files of tests, by default all.
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=$PWD/build/venv-server
export DIFFIE_SERVER=${DIFFIE_SERVER:-$PWD/build/release/diffie-server} DIFFIE=${DIFFIE:-$PWD/build/release/diffie}

[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
for requirements in tests/server/requirements*.txt; do
  "$venv/bin/pip" install -q --disable-pip-version-check -r "$requirements"
done
# They ask for PyTorch, which their clients of CoreNLP do not need.
"$venv/bin/pip" install -q --disable-pip-version-check --no-deps stanza==1.15.0 stanfordnlp==0.2.0 stanford-openie==1.3.2

"$venv/bin/python" -m pytest -q -p no:cacheprovider "$@" ${TESTS:-tests/server}
