"""How a kind and a role look: colour and shape both, in light and in dark.

The hues are those of Okabe and Ito (2008), which people with colour-blindness tell
apart, moved in lightness until a shape stands out from the canvas (contrast 3 and more)
and the same colour can be read as text on a panel (4.5 and more; WCAG 2.1). A kind or role
without a row has the look of `OTHER_KIND` or `OTHER_ROLE`.
"""

from __future__ import annotations

from dataclasses import dataclass

_TINT = {"light": 0.15, "dark": 0.30}


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a page, as ``#rrggbb``.

    Args:
        canvas: Behind the graph.
        surface: Behind text: panels, cards.
        island: Behind a community on the canvas.
        ink: Text.
        muted: Text of less weight.
        line: Edges of the graph at rest.
        border: Hairlines of panels.
        accent: Links, the selected node, the focus ring.
        mark: Behind a quote in its sentence.
    """

    canvas: str
    surface: str
    island: str
    ink: str
    muted: str
    line: str
    border: str
    accent: str
    mark: str


@dataclass(frozen=True, slots=True)
class KindStyle:
    """The look of a kind of node.

    Args:
        one: Its name in the singular, for people.
        many: Its name in the plural.
        shape: A shape that vis-network knows.
        light: Colour on the light theme.
        dark: Colour on the dark theme.
    """

    one: str
    many: str
    shape: str
    light: str
    dark: str


@dataclass(frozen=True, slots=True)
class RoleStyle:
    """The look of an edge from a paper to a concept.

    Args:
        verb: What the paper does with the concept: "proposes".
        passive: The same, said of the concept: "Proposed by".
        width: Of the line, in pixels.
        dashes: Lengths of dash and gap in pixels; empty for a solid line.
    """

    verb: str
    passive: str
    width: float
    dashes: tuple[int, ...] = ()


THEMES = {
    "light": Theme(
        canvas="#f6f6f3",
        surface="#ffffff",
        island="#eeeeea",
        ink="#1d222b",
        muted="#5a6270",
        line="#b4bac3",
        border="#e2e3e0",
        accent="#0b5cad",
        mark="#ffe9a8",
    ),
    "dark": Theme(
        canvas="#12151a",
        surface="#1a1e25",
        island="#1a1f27",
        ink="#e6e8ec",
        muted="#a3abb8",
        line="#4a525f",
        border="#2c323c",
        accent="#7db7f5",
        mark="#5c4a12",
    ),
}

KINDS = {
    "paper": KindStyle("Paper", "Papers", "dot", "#3b4657", "#cbd2dc"),
    "method": KindStyle("Method", "Methods", "square", "#0072b2", "#56b4e9"),
    "dataset": KindStyle("Data set", "Data sets", "diamond", "#007d59", "#2ec598"),
    "task": KindStyle("Task", "Tasks", "triangle", "#c04a00", "#f0853f"),
    "metric": KindStyle("Metric", "Metrics", "star", "#a5467c", "#e094be"),
    "keyword": KindStyle("Keyword", "Keywords", "hexagon", "#6b6536", "#ecd06a"),
}
OTHER_KIND = KindStyle("Other", "Others", "triangleDown", "#667080", "#98a1af")

ROLES = {
    "proposes": RoleStyle("proposes", "Proposed by", 2.6),
    "uses": RoleStyle("uses", "Used by", 1.4),
    "evaluates_on": RoleStyle("evaluates on", "Used for evaluation by", 1.4, (8, 4)),
    "compares_with": RoleStyle("compares with", "Compared with in", 1.2, (3, 4)),
    "studies": RoleStyle("studies", "Studied by", 1.2),
    "mentions": RoleStyle("mentions", "Mentioned by", 0.7),
}
OTHER_ROLE = RoleStyle("is about", "Linked by", 0.7)


def kind_style(kind: str) -> KindStyle:
    """Return the look of a kind; one without a row looks like `OTHER_KIND` under its own name.

    Example:
        >>> kind_style("method").shape, kind_style("theorem").many
        ('square', 'Theorem')
    """
    known = KINDS.get(kind)
    if known:
        return known
    name = kind.replace("_", " ").capitalize() or OTHER_KIND.one
    return KindStyle(name, name, OTHER_KIND.shape, OTHER_KIND.light, OTHER_KIND.dark)


def role_style(role: str) -> RoleStyle:
    """Return the look of a role; one without a row looks like `OTHER_ROLE` under its own name.

    Example:
        >>> role_style("evaluates_on").verb
        'evaluates on'
    """
    known = ROLES.get(role)
    if known:
        return known
    verb = role.replace("_", " ") or OTHER_ROLE.verb
    return RoleStyle(verb, verb.capitalize(), OTHER_ROLE.width, OTHER_ROLE.dashes)


def role_rank(role: str) -> tuple[int, str]:
    """Return a key that sorts roles by strength, those without a row last."""
    return (list(ROLES).index(role) if role in ROLES else len(ROLES)), role


def tint(kind: str, theme: str) -> str:
    """Return the pale colour behind words of a kind, ``#rrggbb``.

    Args:
        kind: A kind of node.
        theme: "light" or "dark".
    """
    style = kind_style(kind)
    colour = style.light if theme == "light" else style.dark
    return _mix(colour, THEMES[theme].surface, _TINT[theme])


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours after WCAG 2.1, 1..21.

    Example:
        >>> round(contrast("#000000", "#ffffff"))
        21
    """
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def custom_properties(theme: str) -> str:
    """Return a theme as CSS declarations: ``--ink``, ``--kind-method``, ``--tint-method``.

    Args:
        theme: "light" or "dark".
    """
    page = THEMES[theme]
    rows = {f"--{name}": getattr(page, name) for name in Theme.__slots__}
    for kind in (*KINDS, "other"):
        style = kind_style(kind)
        rows[f"--kind-{kind}"] = style.light if theme == "light" else style.dark
        rows[f"--tint-{kind}"] = tint(kind, theme)
    return "".join(f"{name}:{value};" for name, value in rows.items())


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mix(colour: str, ground: str, share: float) -> str:
    pairs = zip(_channels(colour), _channels(ground), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
