#!/usr/bin/env python3
"""Precision over recall: the curve and the best point of each system, lines of equal F1 behind.

    diffie score carb --gold dev.tsv --pred a.tsv --pred b.tsv --json > scores.json
    scripts/draw/precision_recall.py scores.json --out pr.svg
"""
import json

from style import COLOURS, parser, plt, save


def equal_f1_lines(axes, most):
    """P = F R / (2 R - F), from P = 1 to the right edge."""
    for tenth in range(1, 10):
        f1 = tenth / 10
        first = f1 / (2 - f1)
        if first >= most:
            break
        recalls = [first + (most - first) * i / 60 for i in range(61)]
        precisions = [f1 * recall / (2 * recall - f1) for recall in recalls]
        axes.plot(recalls, precisions, color="#c9c9c9", linewidth=1, linestyle=(0, (3, 4)), zorder=1)
        axes.annotate(f"F1 {f1:.1f}", (most, precisions[-1]), (4, -3), textcoords="offset points", fontsize=8, color="#8a8a8a",
                      annotation_clip=False)


def draw_system(axes, score, number):
    colour = COLOURS[number % len(COLOURS)]
    marker = "os"[number // len(COLOURS) % 2]  # once the colours are used up the marks become squares
    auc = "" if score.get("auc") is None else f", AUC {score['auc'] * 100:.1f}"
    curve = score.get("curve") or []
    if curve:  # by rising confidence; at the end nothing is predicted
        precisions, recalls, _ = zip(*curve, (1, 0, None))
        axes.plot(recalls, precisions, color=colour, gid=f"curve-{number}")
    axes.plot([score["recall"]], [score["precision"]], marker, color=colour, markersize=8, markeredgecolor="white",
              gid=f"best-{number}", label=f"{score['system']}\nF1 {score['f1'] * 100:.1f}{auc}")


def draw(scores, title):
    figure, axes = plt.subplots(figsize=(8, 5.6))
    most = max([0.3] + [score["recall"] for score in scores] + [point[1] for score in scores for point in score.get("curve") or []])
    most = min(1.0, most + 0.05)
    equal_f1_lines(axes, most)
    for number, score in enumerate(scores):
        draw_system(axes, score, number)
    axes.set(xlim=(0, most), ylim=(0, 1.01), xlabel="recall", ylabel="precision")
    axes.set_title(title, loc="left", fontweight="bold")
    if scores:
        axes.legend(loc="upper left", bbox_to_anchor=(1.1, 1))
    return figure


def main():
    args = parser(__doc__).parse_args()
    report = json.loads(args.input.read_text())
    scores = report.get("systems", [report])
    save(draw(scores, args.title or f"{scores[0]['measure']}: precision and recall"), args.out)


if __name__ == "__main__":
    main()
