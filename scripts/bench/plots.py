"""The pictures of docs/performance.md and the README, from the results that table.py keeps."""
from svg import Picture, Series, legend, panel


def speed_quality(results):
    """F1 over sentences per second: lines over n at fixed steps, presets and peers as points."""
    series, presets, labels = [], [], {}
    for model in ("small", "base"):
        grid = [row for row in results.get(f"quality-{model}") or [] if row["quality"]]
        point = lambda row: (row["sentences_per_s"], row["quality"]["carb"]["f1"] * 100)
        for steps in sorted({row["steps"] for row in grid if row["preset"] == "balanced"}):
            line = {row["samples"]: row for row in grid if row["preset"] == "balanced" and row["steps"] == steps}
            if len(line) > 1:
                text = {point(row): f"n = {n}" for n, row in line.items() if steps < 16 and n in (min(line), max(line))}
                series.append(Series(f"{model}, {steps} steps", [point(row) for row in line.values()], labels=text))
        measured = results.get(f"presets-{model}") or []
        for row in measured + [row for row in grid if row["preset"] == "best"]:
            if row["quality"]:
                presets.append(point(row))
                labels[point(row)] = f"{model} {row['preset']}"
    if not series:
        return None
    if presets:
        series.append(Series("presets", presets, line=False, labels=labels))
    peers = []
    if results.get("corenlp"):
        peer = results["corenlp"]
        peers = [Series("CoreNLP 4.5.10 OpenIE", [(peer["sentences_per_s"], peer["quality"]["carb"]["f1"] * 100)], line=False)]
    speeds = [x for one in series + peers for x, _ in one.points]
    picture = Picture(900, 540, "Speed and quality")
    # Peers have a strip of their own: between 20 and 50 there is nothing to see.
    panel(picture, (70, 50, 590, 340), "CaRB dev: F1 over speed, two cores", ("", "carb F1"), series, log=(True, False), x_values=speeds)
    if peers:
        panel(picture, (70, 430, 590, 60), "", ("sentences per second", ""), peers, log=(True, False), x_values=speeds,
              first_colour=len(series))
    legend(picture, 690, 70, series + peers)
    return picture.text()


def straight(points, proportional=True):
    """What the first point would make of the others if the cost were strictly proportional."""
    (x0, y0) = min(points)
    return [(x, y0 * x / x0 if proportional else y0) for x, _ in points]


def cost_panels(results):
    panels = []
    rows = results.get("over-samples")
    if rows:
        points = [(row["samples"], 1e3 / row["sentences_per_s"]) for row in rows]
        panels.append(("samples", ("n, tag sequences per sentence", "ms per sentence"), points, True, (True, True)))
    rows = results.get("over-sentences")
    if rows:
        points = [(row["sentences"], min(row["pass_s"])) for row in rows]
        panels.append(("sentences", ("sentences", "seconds"), points, True, (True, True)))
    rows = results.get("threads")
    if rows and len(rows) > 1:
        points = [(row["threads"], row["sentences_per_s"]) for row in rows]
        panels.append(("threads", ("threads", "sentences per second"), points, True, (False, False)))
    rows = results.get("over-length")
    if rows:
        points = [(row["length"], 1e3 / (row["sentences_per_s"] * row["length"])) for row in rows]
        panels.append(("length", ("pieces per sentence", "ms per piece"), points, False, (True, False)))
    return panels


def cost(results):
    panels = cost_panels(results)
    memory = results.get("memory")
    if not panels and not memory:
        return None
    count = len(panels) + bool(memory)
    picture = Picture(3 * 360, 330 * ((count + 2) // 3) + 10, "What extraction costs")
    place = lambda index: (70 + 360 * (index % 3), 40 + 330 * (index // 3), 260, 220)
    for index, (name, names, points, proportional, log) in enumerate(panels):
        series = [Series("measured", points), Series("proportional", straight(points, proportional), dashed=True, marks=False)]
        panel(picture, place(index), f"Over {name}", names, series, log=log, from_zero=not log[1], x_ticks=[x for x, _ in points])
    if memory:
        series = [memory_line("a tiny model, all of it", memory["tiny"]), memory_line("small, for a minute", memory["small"])]
        panel(picture, place(count - 1), f"Memory over {memory['megabytes']:.0f} MB of text", ("% of the run", "MB resident"), series,
              from_zero=True)
        legend(picture, place(count - 1)[0] + 90, place(count - 1)[1] + 110, series)
    return picture.text()


def memory_line(name, run, points=100):
    samples = run["resident"]
    step = max(1, len(samples) // points)
    return Series(name, [(100 * i / max(1, len(samples) - 1), samples[i] / 1e6) for i in range(0, len(samples), step)], marks=False)


def draw(results, folder):
    written = []
    for name, make in (("speed_quality.svg", speed_quality), ("cost.svg", cost)):
        text = make(results)
        if text:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
            written.append(folder / name)
    return written
