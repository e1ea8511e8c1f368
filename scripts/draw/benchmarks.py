#!/usr/bin/env python3
"""The pictures of docs/performance.md and the README, from the results that scripts/bench/table.py (make bench) keeps.

    scripts/draw/benchmarks.py build/bench [FOLDER...] --out docs/img

Further folders are those of scripts/gpu/speed.sh: speeds on a GPU, on the cores of its host, and of PyTorch programs on it.

Exactness (BenchIE, sentences 1 to 60) is that of measured.json in each model directory, as `diffie eval --record` wrote it.
"""
import argparse
import json
import pathlib

from style import plain_ticks, plt, save

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def speed_and_f1(row):
    return row["sentences_per_s"], row["quality"]["carb"]["f1"] * 100


def draw_curve(axes, model, rows):
    """Preset balanced with other theta."""
    drawn, = axes.plot(*zip(*map(speed_and_f1, rows)), "o-", markersize=4, label=f"{model}, over theta", gid=f"line-{model}")
    for row in (rows[0], rows[-1]):
        axes.annotate(f"theta = {row['theta']:g}", speed_and_f1(row), (6, 4), textcoords="offset points", fontsize=8,
                      color=drawn.get_color())


def draw_points(axes, rows, marker, label, gid, **style):
    """A point for each (model, row), those of a model joined."""
    for model in dict.fromkeys(model for model, _ in rows):
        points = sorted(speed_and_f1(row) for name, row in rows if name == model)
        axes.plot(*zip(*points), marker, linestyle="-", linewidth=1, markersize=8, label=label, gid=f"{gid}-{model}", **style)
        axes.annotate(model, points[0], (0, 8), textcoords="offset points", ha="center", fontsize=8)
        label = None


def end_to_end(results, device):
    """(model, row) of what scripts/gpu/speed.py measured on a device."""
    return [(part, row) for part in ("small", "base", "paper") for row in results.get(f"speed-{device}-{part}") or [] if row.get("quality")]


def torch_points(results):
    """(name, sentences/s, F1) of the fastest PyTorch program of each kind. It decides nothing: F1 is that of diffie's `balanced` or
    `paper` on the same GPU, whose networks it computes."""
    f1 = {(model, row["preset"]): speed_and_f1(row)[1] for model, row in end_to_end(results, "cuda")}
    points = []
    for model, preset in (("small", "balanced"), ("base", "balanced"), ("paper", "paper")):
        rows = results.get(f"torch-{model}")
        if rows and (model, preset) in f1:
            points.append((model, max(row["sentences_per_s"] for row in rows), f1[model, preset]))
    return points


def draw_gpu(axes, results):
    """Whether there was anything of a GPU to draw."""
    gpu, host, torch = end_to_end(results, "cuda"), end_to_end(results, "cpu"), torch_points(results)
    if gpu:
        name = (gpu[0][1].get("gpu") or "GPU").split(",")[0]
        draw_points(axes, gpu, "D", name, "gpu", color="#009E73")
    if host:
        draw_points(axes, host, "o", f"{host[0][1]['cores']} cores of its host", "host", color="#888888")
    if torch:
        names, speeds, f1 = zip(*torch)
        axes.plot(speeds, f1, "x", markersize=8, markeredgewidth=2, color="#D55E00", label="PyTorch there: the networks alone", gid="torch")
        for name, speed, height in torch:
            axes.annotate(name, (speed, height), (0, -15), textcoords="offset points", ha="center", fontsize=8)
    return bool(gpu or host)


def exact_points(presets, measured):
    """(name, sentences/s, F1 of the preset's own list, F1 of everything at its best threshold) where BenchIE was measured."""
    points = []
    for model, row in presets:
        figures = measured.get(model, {}).get("presets", {}).get(row["preset"], {}).get("benchie")
        if figures:
            points.append((f"{model} {row['preset']}", row["sentences_per_s"], figures["f1"], figures["best_f1"]))
    return points


def draw_exactness(axes, points):
    names, speeds, own, best = zip(*points)
    axes.plot(speeds, best, "o", markersize=8, markerfacecolor="none", color="#888888", label="everything, at its best threshold",
              gid="exact-best")
    axes.plot(speeds, own, "o", markersize=8, color="black", label="presets as they are", gid="exact-own")
    for name, speed, f1 in zip(names, speeds, own):
        axes.annotate(name, (speed, f1), (0, -15), textcoords="offset points", ha="center", fontsize=8)
    axes.set(ylabel="BenchIE F1")
    axes.set_title("BenchIE, sentences 1 to 60: exact facts over speed", loc="left", fontweight="bold")
    axes.margins(x=0.08, y=0.25)


def speed_quality(results):
    """F1 over sentences per second: lines over theta, presets and peers as points; exactness of the presets below."""
    with_quality = lambda name: [row for row in results.get(name) or [] if row["quality"]]
    curves = {model: with_quality(f"quality-{model}") for model in ("small", "base")}
    presets = [(model, row) for model in curves for row in with_quality(f"presets-{model}")]
    if not presets and not end_to_end(results, "cuda"):
        return None
    peer, exact = results.get("corenlp"), exact_points(presets, results.get("measured", {}))
    # Peers have a strip of their own: between 20 and 50 there is nothing to see.
    heights = [5] + [1] * bool(peer) + [3] * bool(exact)
    figure, all_axes = plt.subplots(len(heights), figsize=(9, 0.9 * sum(heights)), squeeze=False, sharex=True,
                                    gridspec_kw={"height_ratios": heights})
    axes = all_axes[0, 0]
    for model, curve in curves.items():
        if curve:
            draw_curve(axes, model, sorted(curve, key=lambda row: -row["theta"]))
    if presets:
        draw_points(axes, presets, "o", f"presets, {presets[0][1]['threads']} cores", "presets", color="black")
    has_gpu = draw_gpu(axes, results)
    axes.set(xscale="log", ylabel="carb F1")
    axes.set_title("CaRB dev: F1 over speed; from the left best, balanced, fast", loc="left", fontweight="bold")
    if peer:
        all_axes[1, 0].plot(*speed_and_f1(peer), "s", color="#8C6D31", markersize=8, label="CoreNLP 4.5.10 OpenIE", gid="peer")
    if exact:
        draw_exactness(all_axes[-1, 0], exact)
    all_axes[-1, 0].set_xlabel("sentences per second")
    plain_ticks(axes.xaxis, (1,) if has_gpu else (1, 2, 5))
    axes.margins(x=0.08, y=0.1)
    for place in all_axes[:, 0]:
        place.legend(loc="upper left", bbox_to_anchor=(1.02, 1))
    return figure


def cost_panels(results):
    """(over what, names of the axes, points, whether cost should be proportional, logarithmic axes)"""
    panels = []
    if rows := results.get("quality-small"):
        points = [(round(row["stages"]["rows"] / row["sentences"], 1), 1e3 / row["sentences_per_s"]) for row in rows]
        panels.append(("rows", ("rows a sentence, small", "ms per sentence"), points, True, (True, True)))
    if rows := results.get("over-sentences"):
        points = [(row["sentences"], min(row["pass_s"])) for row in rows]
        panels.append(("sentences", ("sentences", "seconds"), points, True, (True, True)))
    if len(rows := results.get("threads") or []) > 1:
        points = [(row["threads"], row["sentences_per_s"]) for row in rows]
        panels.append(("threads", ("threads", "sentences per second"), points, True, (False, False)))
    if rows := results.get("over-length"):
        points = [(row["length"], 1e3 / (row["sentences_per_s"] * row["length"])) for row in rows]
        panels.append(("length", ("pieces per sentence", "ms per piece"), points, False, (True, False)))
    return panels


def draw_cost(axes, over, names, points, proportional, log):
    points = sorted(points)
    x0, y0 = points[0]
    axes.plot(*zip(*points), "o-", label="measured", gid=f"cost-{over}")
    axes.plot([x for x, _ in points], [y0 * x / x0 if proportional else y0 for x, _ in points], "--", linewidth=1.2,
              label="proportional")
    axes.set(xscale="log" if log[0] else "linear", yscale="log" if log[1] else "linear", xlabel=names[0], ylabel=names[1])
    axes.set_xticks([x for x, _ in points], [f"{x:g}" for x, _ in points])
    axes.minorticks_off()
    if log[1]:
        plain_ticks(axes.yaxis)
    else:
        axes.set_ylim(bottom=0)
    axes.set_title(f"Over {over}", loc="left", fontweight="bold")


def draw_memory(axes, memory):
    for name, run in (("a tiny model, all of it", memory["tiny"]), ("small, for a minute", memory["small"])):
        resident = run["resident"]
        axes.plot([100 * i / max(1, len(resident) - 1) for i in range(len(resident))], [value / 1e6 for value in resident], label=name,
                  gid=f"memory-{name.split()[0]}")
    axes.set(xlabel="% of the run", ylabel="MB resident")
    axes.set_ylim(bottom=0)
    axes.set_title(f"Memory over {memory['megabytes']:.0f} MB of text", loc="left", fontweight="bold")
    axes.legend()


def cost(results):
    panels, memory = cost_panels(results), results.get("memory")
    count = len(panels) + bool(memory)
    if count == 0:
        return None
    rows = (count + 2) // 3
    figure, all_axes = plt.subplots(rows, 3, figsize=(10.8, 3.3 * rows), squeeze=False)
    for axes, panel in zip(all_axes.flat, panels):
        draw_cost(axes, *panel)
    if memory:
        draw_memory(all_axes.flat[count - 1], memory)
    for axes in all_axes.flat[count:]:
        axes.set_axis_off()
    return figure


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("results", type=pathlib.Path, nargs="+", help="folders with JSON; of files of one name the last counts")
    options.add_argument("--out", type=pathlib.Path, required=True, help="folder of the pictures")
    options.add_argument("--models", type=pathlib.Path, default=ROOT / "models", help="folder of the models that were measured")
    args = options.parse_args()
    results = {path.stem: json.loads(path.read_text()) for folder in args.results for path in sorted(folder.glob("*.json"))}
    results["measured"] = {path.parent.name: json.loads(path.read_text()) for path in sorted(args.models.glob("*/measured.json"))}
    for name, draw in (("speed_quality.svg", speed_quality), ("cost.svg", cost)):
        figure = draw(results)
        if figure is not None:
            save(figure, args.out / name)
            print(f"wrote {args.out / name}")


if __name__ == "__main__":
    main()
