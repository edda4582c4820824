"""A small graph inside a notebook: the explorer in a frame that can reach nothing else."""

from __future__ import annotations

from html import escape

from exports.explorer import to_html
from exports.view import View

SMALL = 1_000
"""Papers and concepts up to which a graph is shown."""

HEIGHT = 520
"""Height of the frame in pixels."""

_FRAME = (
    '<iframe sandbox="allow-scripts allow-popups allow-downloads" width="100%" height="{height}" '
    'frameborder="0" title="{title}" srcdoc="{page}"></iframe>'
)


def display(view: View) -> str:
    """Return HTML for a notebook: how large a graph is and, where it is small, its explorer.

    Args:
        view: The graph.
    """
    papers = sum(1 for _ in view.papers())
    concepts = sum(1 for _ in view.concepts())
    title = escape(view.run().title)
    counts = f"<p><strong>{title}</strong>: {papers:,} papers, {concepts:,} concepts</p>"
    if papers + concepts > SMALL:
        return f'{counts}<p>Browse it with <code>.write("graph.html")</code>.</p>'
    return counts + _FRAME.format(height=HEIGHT, title=title, page=escape(to_html(view)))
