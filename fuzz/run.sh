#!/usr/bin/env bash
# run.sh TARGET...: runs each target for FUZZ_SECONDS (20), or with FUZZ_RUNS until its executions
# reach that many (or FUZZ_SECONDS are over, where both are given); FUZZ_JOBS of them at a time (as many as there are cores). Fails if one fails.
# What a program has done is kept in build/fuzz/executions (target, program, executions, seconds of
# CPU, its own and the system's), so that a long run may be stopped and taken up again; it begins
# anew where the program has changed. What ends a target is left in build/fuzz/found.
set -uo pipefail
cd "$(dirname "$0")/.."
export FUZZ_RUNS=${FUZZ_RUNS:-0}
[ "$FUZZ_RUNS" -gt 0 ] && no_limit=1000000000
export FUZZ_SECONDS=${FUZZ_SECONDS:-${no_limit:-20}}
export ARROW_DEFAULT_MEMORY_POOL=system  # which the address sanitizer sees
executions=build/fuzz/executions
piece_seconds=300

# Long enough for every rule of the format, short enough for speed.
max_bytes() {
  case $1 in
    tables) echo 4096 ;;
    config | http | output | scores) echo 512 ;;
    capi) echo 128 ;;
    *) echo 256 ;;
  esac
}

# Words of the formats.
dictionary() {
  case $1 in
    scores | http) echo "-dict=fuzz/dictionaries/$1" ;;
    config | ranker | rows | weights) echo "-dict=fuzz/dictionaries/json" ;;
  esac
}

# Arrow asks for as much memory as a file says, and takes a no for an answer; beyond 64 MB it gets
# one, since writing the shadow of what nobody fills takes a hundred times what all else does.
memory_flag() {
  [ "$1" != tables ] || echo -malloc_limit_mb=2000000000
}
memory_option() {
  [ "$1" != tables ] || echo :max_allocation_size_mb=64
}

# Executions so far of the target's program as it is.
done_so_far() {
  awk -v target="$1" -v program="$2" \
    '$1 == target && $2 == program { sum += $3 } END { print sum + 0 }' "$executions"
}

# run_piece TARGET LENGTH FLAG...: adds what it executed to the list; fails as the target does.
run_piece() {
  local target=$1 length=$2 log=build/fuzz/$1.log status count seconds TIMEFORMAT='%U %S'
  shift 2
  seconds=$({ time nice -n 19 "build/fuzz/fuzz_$target" -max_len="$length" -timeout=60 -rss_limit_mb=2048 \
    -entropic=0 -reload=0 $(dictionary "$target") $(memory_flag "$target") -close_fd_mask=2 -print_final_stats=1 "$@" \
    -artifact_prefix="build/fuzz/found/$target-" \
    "build/fuzz/corpus/$target" "fuzz/corpus/$target" > "$log" 2>&1; } 2>&1)
  status=$?
  count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  echo "$target $program ${count:-0} $seconds" >> "$executions"
  [ $status -eq 0 ] || { echo "$target failed:"; tail -n 40 "$log"; }
  return $status
}

# Every fourth piece has inputs of up to 16 times the length. Leaks are looked for at the end, in
# the inputs that were kept.
run_to_goal() {
  local target=$1 length left end=$((SECONDS + FUZZ_SECONDS)) seconds piece
  length=$(max_bytes "$target")
  local options=$ASAN_OPTIONS
  export ASAN_OPTIONS=$options:quarantine_size_mb=4:malloc_context_size=1
  while left=$((FUZZ_RUNS - $(done_so_far "$target" "$program"))) && [ $left -gt 0 ]; do
    seconds=$((end - SECONDS < piece_seconds ? end - SECONDS : piece_seconds))
    [ $seconds -gt 0 ] || return 0
    piece=$(grep -c "^$target $program " "$executions")
    run_piece "$target" $((piece % 4 == 3 ? 16 * length : length)) -detect_leaks=0 -runs=$left \
      -max_total_time=$seconds || return 1
  done
  ASAN_OPTIONS=$options run_piece "$target" $((16 * length)) -runs=0
}

run_target() {
  local target=$1 program status before
  [ -x "build/fuzz/fuzz_$target" ] || { echo "$target: not built"; return 0; }
  mkdir -p "build/fuzz/corpus/$target" "fuzz/corpus/$target"
  program=$(sha256sum < "build/fuzz/fuzz_$target" | cut -c 1-12)
  before=$(done_so_far "$target" "$program")
  export ASAN_OPTIONS=allocator_may_return_null=1$(memory_option "$target")
  if [ "$FUZZ_RUNS" -gt 0 ]; then
    run_to_goal "$target"
  else
    run_piece "$target" "$(max_bytes "$target")" -max_total_time="$FUZZ_SECONDS"
  fi
  status=$?
  printf '%-10s %10s executions, %s of this program\n' "$target" \
    $(($(done_so_far "$target" "$program") - before)) "$(done_so_far "$target" "$program")"
  return $status
}

mkdir -p build/fuzz/found
touch "$executions"
export -f max_bytes dictionary memory_flag memory_option done_so_far run_piece run_to_goal run_target
export executions piece_seconds
printf '%s\n' "$@" | xargs -P "${FUZZ_JOBS:-$(nproc)}" -I{} bash -uo pipefail -c 'run_target {}'
