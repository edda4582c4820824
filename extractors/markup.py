r"""Mark-up around names, where a text was not cleaned: \textbf{FooNet}, *FooNet*, Foo$^{+}$."""

from __future__ import annotations

import re

_AROUND = re.compile(
    r"\$?\\(?:text(?:tt|bf|it|sc|sf|rm)|emph|math(?:tt|bf|it|sf|rm))\{|\*{1,2}(?=\w)|(?<=\w)\*{1,2}"
    r"|(?<=\w)\}\$?"
)
_RAISED = re.compile(r"\$\^(?:\{[+*\d]{1,2}\}|[+*\d])\$")


def bare(text: str) -> str:
    """Return a text with blanks for the mark-up around its names, so that offsets stay.

    Example:
        >>> bare("We propose *Moss*.")
        'We propose  Moss .'
    """
    return _AROUND.sub(lambda match: " " * len(match[0]), text)


def with_raised(text: str, end: int) -> int:
    """Return the end of a name with what is set above its last letter.

    Args:
        text: The text that holds the name.
        end: Code point after the name's last.

    Example:
        >>> with_raised("HXFL$^{+}$ wins", 4)
        10
    """
    match = _RAISED.match(text, end)
    return match.end() if match else end
