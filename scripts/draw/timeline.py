#!/usr/bin/env python3
"""A window of a timeline: what each worker and each stream of a GPU does.

    diffie bench --device cuda --timeline trace.json
    scripts/draw/timeline.py trace.json --from 500 --to 600 --out docs/img/gpu_timeline.svg
"""
import json

from style import COLOURS, parser, plt, save

STAGES = ["tokenize", "encode", "draw", "denoise", "judge", "select", "output"]  # draw before what lies within it
GPU = 2  # the process of its streams


def read(trace):
    """Names of the rows, and their spans (stage, begin, end in ms), by (process, row)."""
    names, spans = {}, {}
    for event in trace["traceEvents"]:
        row = event["pid"], event["tid"]
        if event["ph"] == "X":
            begin = event["ts"] / 1e3
            spans.setdefault(row, []).append((event["name"], begin, begin + event["dur"] / 1e3))
        elif event["name"] == "thread_name":
            names[row] = event["args"]["name"]
    return names, spans


def visible(spans, stage, window):
    """(begin, length) of the stage's spans in the window; what no eye could part is one."""
    begin, end = window
    too_close = (end - begin) / 4000
    bars = []
    for _, first, last in sorted(span for span in spans if span[0] == stage and span[1] < end and span[2] > begin):
        first, last = max(first, begin), min(last, end)
        if bars and first - bars[-1][1] < too_close:
            bars[-1][1] = max(last, bars[-1][1])
        else:
            bars.append([first, last])
    return [(first, last - first) for first, last in bars]


def draw(trace, window, title):
    names, spans = read(trace)
    rows = sorted(names, key=lambda row: (row[0] == GPU, row))
    figure, axes = plt.subplots(figsize=(11, 1.2 + 0.26 * len(rows)))
    shown = {}
    for place, row in enumerate(rows):
        for stage in STAGES:
            bars = visible(spans.get(row, []), stage, window)
            if bars:
                shown[stage] = axes.broken_barh(bars, (place - 0.4, 0.8), color=COLOURS[STAGES.index(stage)], linewidth=0,
                                                gid=f"{stage}-{names[row].replace(' ', '-')}")
    axes.set(xlim=window, ylim=(len(rows) - 0.4, -0.6), xlabel="ms")
    axes.set_yticks(range(len(rows)), [names[row] for row in rows], fontsize=8)
    axes.grid(False, axis="y")
    axes.set_title(title, loc="left", fontweight="bold")
    stages = [stage for stage in STAGES if stage in shown]
    axes.legend([shown[stage] for stage in stages], stages, loc="upper left", bbox_to_anchor=(1.01, 1))
    return figure


def main():
    options = parser(__doc__)
    options.add_argument("--from", dest="begin", type=float, default=0, help="ms")
    options.add_argument("--to", dest="end", type=float, required=True, help="ms")
    args = options.parse_args()
    if not args.begin < args.end:
        options.error(f"--from {args.begin:g} is not before --to {args.end:g}")
    trace = json.loads(args.input.read_text())
    save(draw(trace, (args.begin, args.end), args.title or "Workers and streams of the GPU"), args.out)


if __name__ == "__main__":
    main()
