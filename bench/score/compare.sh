#!/usr/bin/env bash
# Times `diffie score carb` against reference_carb.py, our Python transcription of the same definitions,
# and checks that both say the same. Usage: compare.sh DIFFIE GOLD.tsv PRED.tsv [RUNS]
# With CARB_DIR set to a checkout of CaRB (and CARB_PYTHON to a Python that has its packages) its own
# carb.py is timed too.
set -euo pipefail
diffie=$1 gold=$2 pred=$3 runs=${4:-5}
here=$(dirname "$(readlink -f "$0")")
python=${PYTHON:-python3}

# "WALL CPU": medians over RUNS runs, in seconds. On a busy machine the CPU time is the one to compare.
measure() {
  local TIMEFORMAT='%R %U %S' times
  times=$(for _ in $(seq "$runs"); do { time "$@" > /dev/null 2>&1; } 2>&1; done | awk '{print $1, $2 + $3}')
  for column in 1 2; do
    echo "$times" | cut -d' ' -f$column | sort -g | sed -n "$(((runs + 1) / 2))p"
  done | paste -sd' '
}

# NAME WALL CPU [BASE_WALL BASE_CPU]
show() {
  awk -v name="$1" -v wall="$2" -v cpu="$3" -v base_wall="${4:-0}" -v base_cpu="${5:-0}" 'BEGIN {
    printf "%-20s wall %7.3f s   CPU %7.3f s", name, wall, cpu
    if (base_wall > 0) printf "   %4.0fx wall   %4.0fx CPU", wall / base_wall, cpu / base_cpu
    printf "\n" }'
}

"$python" - <(command "$diffie" score carb --gold "$gold" --pred "$pred" --json) \
            <("$python" "$here/reference_carb.py" carb "$gold" "$pred") <<'PY'
import json, sys
ours, theirs = (json.load(open(path)) for path in sys.argv[1:])
keys = ("precision", "recall", "f1", "auc")
difference = max(abs(ours[k] - theirs[k]) for k in keys)
print("largest difference in " + ", ".join(keys) + f": {difference:.1e}")
assert difference < 1e-9
PY
read -r wall cpu <<< "$(measure "$diffie" score carb --gold "$gold" --pred "$pred" --json)"
show 'diffie score carb' "$wall" "$cpu"
read -r other_wall other_cpu <<< "$(measure "$python" "$here/reference_carb.py" carb "$gold" "$pred")"
show reference_carb.py "$other_wall" "$other_cpu" "$wall" "$cpu"
read -r other_wall other_cpu <<< "$(measure "$python" "$here/reference_carb.py" carb "$gold" "$pred" by-sentence)"
show '... by-sentence' "$other_wall" "$other_cpu" "$wall" "$cpu"
if [[ -n ${CARB_DIR:-} ]]; then
  cd "$CARB_DIR"
  read -r other_wall other_cpu <<< "$(measure "${CARB_PYTHON:-python3}" carb.py --gold "$gold" --out /dev/null --tabbed "$pred")"
  show 'CaRB carb.py' "$other_wall" "$other_cpu" "$wall" "$cpu"
fi
