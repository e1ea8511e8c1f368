"""The goals of speed, each with what was measured for it and the F1 of the same run, and those of quality."""

# Of each preset: sentences/s on two cores with AVX2; on CaRB dev, in per cent, F1 and AUC by `carb` and F1 by `carb_1_1`.
GOALS = {
    ("small", "fast"): (300, (55.5, 42, 47.5)),
    ("small", "balanced"): (220, (56, 43, 48.5)),
    ("small", "best"): (60, (57, 44.5, 49)),
    ("base", "balanced"): (30, (57.5, 45, 49.5)),
    ("base", "best"): (10, (58, 45.5, 50.5)),
}


def row_of(rows, preset):
    return next((row for row in rows or [] if row["preset"] == preset), None)


def f1(row):
    return None if row is None or not row.get("quality") else row["quality"]["carb"]["f1"] * 100


class Table:
    def __init__(self):
        self.lines = []

    def add(self, what, goal, value, shown, met, quality=None):
        """`value` None: not measured."""
        state = "-" if value is None else "yes" if met(value) else "NO"
        self.lines.append((what, goal, "not measured" if value is None else shown(value),
                           "-" if quality is None else f"{quality:.1f}", state))

    def at_least(self, what, goal, value, form, quality=None, unit=""):
        self.add(what, f">= {goal}{unit}", value, lambda x: form.format(x) + unit, lambda x: x >= goal, quality)

    def no_goal(self, what, value, form, unit=""):
        self.lines.append((what, "-", "not measured" if value is None else form.format(value) + unit, "-", "-"))

    def at_most(self, what, goal, value, form, quality=None, unit=""):
        self.add(what, f"<= {goal}{unit}", value, lambda x: form.format(x) + unit, lambda x: x <= goal, quality)

    def text(self):
        lines = [("configuration", "goal", "measured", "carb F1", "met"), *self.lines]
        widths = [max(len(line[i]) for line in lines) for i in range(5)]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)

    def markdown(self):
        lines = ["| configuration | goal | measured | `carb` F1 | met |", "|---|---|---|---|---|"]
        return "\n".join(lines + ["| " + " | ".join(line) + " |" for line in self.lines])


def ratio(a, b):
    return a / b if a and b else None


def preset_goals(table, results, measured):
    """Speed of this run; quality as `diffie eval --record` left it in measured.json."""
    for (model, preset), (speed, quality) in GOALS.items():
        row = row_of(results.get(f"presets-{model}"), preset)
        table.at_least(f"{model}, {preset}: sentences/s", speed, row and row["sentences_per_s"], "{:.1f}", f1(row))
        part = measured.get(model, {}).get("presets", {}).get(preset, {}).get("all")
        found = part and (part["carb_f1"], part["carb_auc"], part["carb_1_1_f1"])
        table.add(f"{model}, {preset}: carb F1 / AUC, carb_1_1 F1", ">= {} / {}, {}".format(*quality), found,
                  lambda figures: "{:.2f} / {:.2f}, {:.2f}".format(*figures),
                  lambda figures: all(a >= b for a, b in zip(figures, quality)), found and found[0])


def loss_of_balanced(table, results, model):
    most, own = (f1(row_of(results.get(f"{kind}-{model}"), "balanced")) for kind in ("far", "presets"))
    table.at_most(f"{model}, balanced: F1 lost against theta 0.001, branch 6", 1.0,
                  None if most is None or own is None else most - own, "{:.2f}", most)


def growth(samples):
    """Memory near the end against memory once all is warm."""
    if not samples or len(samples) < 20:
        return None
    tenth = len(samples) // 10
    return max(samples[-tenth:]) / max(samples[tenth:2 * tenth])


def goal_table(results, measured={}):
    table = Table()
    preset_goals(table, results, measured)
    balanced, base = (row_of(results.get(f"presets-{model}"), "balanced") for model in ("small", "base"))
    corenlp = results.get("corenlp")
    table.at_least("small, balanced: against CoreNLP", 6,
                   ratio(balanced and balanced["sentences_per_s"], corenlp and corenlp["sentences_per_s"]), "{:.1f}", f1(balanced),
                   "x")
    for model in ("small", "base"):
        loss_of_balanced(table, results, model)
    paper = row_of(results.get("paper"), "paper")
    against = lambda peer: ratio(paper and paper["sentences_per_s"], results.get(peer) and results[peer]["sentences_per_s"])
    name = "paper's size and preset: against PyTorch"
    table.at_least(f"{name}, sentences batched", 2.5, against("torch"), "{:.2f}", None, "x")
    table.no_goal(f"{name}, one sentence at a time", against("torch-unpadded"), "{:.2f}", "x")
    table.at_most("small: start to first triple", 0.3, balanced and balanced["first_triple_s"], "{:.3f}", f1(balanced), " s")
    for model, limit, row in (("small", 200, balanced), ("base", 400, base)):
        table.at_most(f"{model}: peak memory", limit, row and row["peak_memory"] / 1e6, "{:.0f}", f1(row), " MB")
    memory = results.get("memory")
    megabytes = f"{memory['megabytes']:.0f} MB" if memory else "a large text"
    table.at_most(f"memory over {megabytes}, end : start", 1.05, memory and growth(memory["tiny"]["resident"]), "{:.3f}", None, "x")
    table.at_most("small: memory, a minute on that text", 200, memory and max(memory["small"]["resident"]) / 1e6, "{:.0f}",
                  None, " MB")
    gemm = results.get("gemm")
    mean = lambda key: gemm and sum(row[key] for row in gemm) / len(gemm)
    table.at_least("GEMM fp32: mean share of the FMA peak", 90, gemm and mean("share") * 100, "{:.0f}", None, " %")
    table.at_least("GEMM int8 : fp32, mean", 2, gemm and mean("int8_ratio"), "{:.2f}", None, "x")
    rows = results.get("threads") or []
    one, two = (next((row for row in rows if row["threads"] == n), None) for n in (1, 2))
    table.at_least("small, balanced: 2 threads : 1", 1.9, ratio(two and two["sentences_per_s"], one and one["sentences_per_s"]),
                   "{:.2f}", f1(two), "x")
    table.at_most("time per piece, 510 pieces : 32", 3, length_share(results.get("over-length")), "{:.2f}", None, "x")
    return table


def length_share(rows):
    if not rows:
        return None
    per_piece = {row["length"]: 1 / (row["sentences_per_s"] * row["length"]) for row in rows}
    return ratio(per_piece.get(510), per_piece.get(32))
