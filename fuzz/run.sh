#!/usr/bin/env bash
# run.sh SECONDS TARGET...: runs each target so long; fails if one fails. Prints executions. What
# ends a target is left in build/fuzz/found.
set -uo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift
failed=0
mkdir -p build/fuzz/found
for target in "$@"; do
  program=build/fuzz/fuzz_$target
  [ -x "$program" ] || { echo "$target: not built"; continue; }
  mkdir -p "build/fuzz/corpus/$target"
  log=build/fuzz/$target.log
  nice -n 19 "$program" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=1024 -close_fd_mask=2 \
    -print_final_stats=1 -artifact_prefix="build/fuzz/found/$target-" \
    "build/fuzz/corpus/$target" "fuzz/corpus/$target" > "$log" 2>&1
  status=$?
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  printf '%-10s %12s executions\n' "$target" "${executions:-?}"
  [ $status -eq 0 ] || { failed=1; echo "$target failed:"; tail -n 40 "$log"; }
done
exit $failed
