#!/usr/bin/env bash
# Runs the tests over build/coverage and counts what they reach: `make coverage`. A table, a room a line; fails below
# the limits of rooms.py. COVERAGE_SERVER=0 leaves out the server as its clients see it.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$PWD/build/coverage
venv=$PWD/build/venv-coverage

[ -x "$venv/bin/gcovr" ] || { python3 -m venv "$venv" &&
  scripts/pip-install.sh "$venv/bin/python" scripts/coverage/requirements.txt; }

find "$build" -name '*.gcda' -delete
# Counters live in files that programs add to when they end. One that may not write so much, or has no memory to, leaves
# what no other can add to; one of another user cannot write at all. And what is not optimised is not cheap.
ends_badly=StandardStreams.AFileThatMayGrowNoFurther*:Memory.*:Threads.*
export GTEST_FILTER="-$ends_badly:Refusing.*Cheap"
# What cannot be added to is said here, not in what the tests read of a program.
export GCOV_ERROR_FILE=$build/not_counted.log
rm -f "$GCOV_ERROR_FILE"
# Not those that measure quality over a corpus or look at what is installed: they reach no line that others do not. Nor
# io_faults, which kills.
ctest --preset coverage -j "$(nproc)" -LE corpus -E '^(measured|imported_encoder|golden_extract|install|exports|hardened|sbom|io_faults)$' --quiet
if [ "${COVERAGE_SERVER:-1}" = 1 ]; then
  # With patience, and without what counts on a fast program: this one is not optimised.
  DIFFIE_TEST_PATIENCE=5 DIFFIE_SERVER=$build/diffie-server DIFFIE=$build/diffie tests/server/run.sh --ignore-glob='*browser*' -k 'not endless_text and not keep_a_sentence_waiting'
fi
# Branches that the compiler makes for exceptions are none of ours.
"$venv/bin/gcovr" --root . --object-directory "$build" --gcov-ignore-parse-errors=suspicious_hits.warn \
  --filter 'include/' --filter 'src/' --filter 'apps/' \
  --exclude-throw-branches --exclude-unreachable-branches --exclude-lines-by-pattern '.*DIFFIE_ASSERT\(.*' \
  --json "$build/coverage.json" --json-summary "$build/summary.json" -j "$(nproc)" "$build"
if spoilt=$(grep -c 'Merge mismatch' "$GCOV_ERROR_FILE" 2> /dev/null); then
  echo "coverage: $spoilt times counters could not be added to, see $GCOV_ERROR_FILE" >&2
  exit 1
fi
python3 -B scripts/coverage/rooms.py "$build/summary.json"
