#!/usr/bin/env bash
# The server as its clients see it: its interface, its limits, its life, CoreNLP's clients, the page. Programs are
# DIFFIE_SERVER and DIFFIE, by default those of build/release; TESTS are files of tests, by default all.
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=$PWD/build/venv-server
export DIFFIE_SERVER=${DIFFIE_SERVER:-$PWD/build/release/diffie-server} DIFFIE=${DIFFIE:-$PWD/build/release/diffie}

[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
scripts/pip-install.sh "$venv/bin/python" tests/server/requirements.txt
scripts/pip-install.sh "$venv/bin/python" tests/server/clients.txt --no-deps

"$venv/bin/python" -m pytest -q -p no:cacheprovider "$@" ${TESTS:-tests/server}
