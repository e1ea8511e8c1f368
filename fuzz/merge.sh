#!/usr/bin/env bash
# merge.sh TARGET...: adds to fuzz/corpus what of build/fuzz/corpus reaches code that nothing there
# reaches, in its shortest form. How often code is reached does not count: the corpus stays small.
set -euo pipefail
cd "$(dirname "$0")/.."
export ARROW_DEFAULT_MEMORY_POOL=system
for target in "$@"; do
  mkdir -p "fuzz/corpus/$target" "build/fuzz/corpus/$target"
  nice -n 19 "build/fuzz/fuzz_$target" -merge=1 -use_counters=0 -max_len=8192 -rss_limit_mb=2048 \
    -close_fd_mask=2 "fuzz/corpus/$target" "build/fuzz/corpus/$target" > "build/fuzz/$target-merge.log" 2>&1
  echo "$target: $(ls "fuzz/corpus/$target" | wc -l) files, $(cat fuzz/corpus/"$target"/* | wc -c) bytes"
done
