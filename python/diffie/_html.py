"""How notebooks show a document: its sentences, and their triples with the roles coloured."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .document import Document, Sentence, Triple

_SHOWN = 50
_COLOURS = {"subject": "#4c9be8", "relation": "#e8a33d", "object": "#5cb870"}


def document(shown: Document) -> str:
    parts = [_sentence(sentence) for sentence in shown.sentences[:_SHOWN]]
    if len(shown.sentences) > _SHOWN:
        parts.append(f"<p>… and {len(shown.sentences) - _SHOWN} sentences more</p>")
    parts += [f"<p>failed: {escape(failure.message)}</p>" for failure in shown.errors]
    return f'<div class="diffie">{"".join(parts)}</div>'


def _sentence(sentence: Sentence) -> str:
    rows = "".join(_row(triple) for triple in sentence.triples)
    return f'<p style="margin:.6em 0 .2em">{escape(sentence.text)}</p><table>{rows}</table>'


def _row(triple: Triple) -> str:
    cells = [f"<td>{triple.confidence:.2f}</td>"]
    for role, colour in _COLOURS.items():
        text = escape(getattr(triple, role))
        cells.append(
            f'<td style="text-align:left;border-bottom:2px solid {colour}">{text}</td>'
        )
    cells.append(f'<td style="opacity:.7;text-align:left">{escape(_remarks(triple))}</td>')
    return f"<tr>{''.join(cells)}</tr>"


def _remarks(triple: Triple) -> str:
    remarks = []
    if triple.polarity == "negative":
        remarks.append("not")
    if triple.modality != "certain":
        remarks.append(triple.modality)
    if triple.attributed_to is not None:
        remarks.append(f"according to {triple.attributed_to}")
    return ", ".join(remarks)
