"""What the pictures have in common: colours, lines, how they are saved."""
import argparse
import pathlib

import matplotlib
import matplotlib.ticker

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

# Okabe and Ito's colours, which most colour-blind people can tell apart.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D31"]

plt.rcParams.update({
    "axes.prop_cycle": plt.cycler(color=COLOURS),
    "axes.axisbelow": True,
    "axes.edgecolor": "#888888",
    "axes.grid": True,
    "figure.constrained_layout.use": True,
    "grid.color": "#e6e6e6",
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "svg.fonttype": "none",  # words stay words
    "svg.hashsalt": "diffie",  # the same data give the same bytes
})


def parser(doc):
    options = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("input", type=pathlib.Path)
    options.add_argument("--out", type=pathlib.Path, required=True, help="the picture; .svg, .png or .pdf")
    options.add_argument("--title")
    return options


def plain_ticks(axis, subs=(1, 2, 5)):
    """1, 2, 5, 10, 20 ... on a logarithmic axis."""
    axis.set_major_locator(matplotlib.ticker.LogLocator(subs=subs))
    axis.set_major_formatter("{x:,.10g}")
    axis.set_minor_locator(matplotlib.ticker.NullLocator())


def save(figure, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=120)
    plt.close(figure)
