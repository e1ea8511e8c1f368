#!/usr/bin/env bash
# coverage.sh TARGET...: how many of our functions that a target links, file by file, its inputs in
# fuzz/corpus reach, and of those how many edges, the ways of exceptions among them; the functions not reached follow in
# build/fuzz/TARGET-coverage.
set -euo pipefail
cd "$(dirname "$0")/.."
export ARROW_DEFAULT_MEMORY_POOL=system ASAN_SYMBOLIZER_PATH
ASAN_SYMBOLIZER_PATH=$(command -v llvm-symbolizer-14 || command -v llvm-symbolizer)
for target in "$@"; do
  "build/fuzz/fuzz_$target" -runs=0 -print_coverage=1 -detect_leaks=0 "fuzz/corpus/$target" 2>&1 |
    grep 'COVERED_FUNC' | grep -E "$PWD/(src|apps)/" | sed "s|$PWD/||" > "build/fuzz/$target-coverage"
  echo "== $target"
  awk '{
    split($NF, place, ":"); split($5, edges, "/"); file = place[1]
    all[file]++; if ($1 == "COVERED_FUNC:") { reached[file]++; hit[file] += edges[1]; of[file] += edges[2] }
  } END {
    for (file in all) if (reached[file])
      printf "%-40s %3d of %3d functions, %3d %% of their edges\n", file, reached[file], all[file], 100 * hit[file] / of[file]
  }' "build/fuzz/$target-coverage" | sort
done
