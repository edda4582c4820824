"""Colours can be read, and told apart, by everyone; shape says the same as colour."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from exports import style
from extractors.mention import ROLES

THEMES = sorted(style.THEMES)
KINDS = [*style.KINDS, "theorem"]

# Machado, Oliveira and Fernandes (2009), full severity, in linear RGB.
VISION = {
    "common": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def colour(kind: str, theme: str) -> str:
    return str(getattr(style.kind_style(kind), theme))


def seen(hex_colour: str, vision: str) -> npt.NDArray[np.float64]:
    """The colour in CIE L*a*b*, as someone with this vision sees it."""
    channels = np.array([int(hex_colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(VISION[vision]) @ linear, 0, 1)
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.array(matrix) @ linear / [0.9505, 1, 1.089]
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_shape_stands_out_from_what_is_behind_it(kind: str, theme: str) -> None:
    page = style.THEMES[theme]
    for ground in (page.canvas, page.island, page.surface):
        assert style.contrast(colour(kind, theme), ground) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_name_in_the_colour_of_its_kind_can_be_read(kind: str, theme: str) -> None:
    page = style.THEMES[theme]
    for ground in (page.canvas, page.surface):
        assert style.contrast(colour(kind, theme), ground) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read(theme: str) -> None:
    page = style.THEMES[theme]
    for ground in (page.canvas, page.surface, page.island):
        for text in (page.ink, page.muted, page.accent):
            assert style.contrast(text, ground) >= 4.5
    for ground in (page.mark, *(style.tint(kind, theme) for kind in KINDS)):
        assert style.contrast(page.ink, ground) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", VISION)
def test_kinds_have_colours_that_people_tell_apart(theme: str, vision: str) -> None:
    for one, other in combinations(style.KINDS, 2):
        first, second = seen(colour(one, theme), vision), seen(colour(other, theme), vision)
        assert np.linalg.norm(first - second) > 9, (one, other)


def test_every_kind_has_a_shape_of_its_own() -> None:
    shapes = [style.kind_style(kind).shape for kind in KINDS]
    assert len(set(shapes)) == len(shapes)


def test_every_role_of_the_extractors_has_a_row_strongest_first() -> None:
    assert tuple(style.ROLES) == ROLES
    assert sorted(["zzz", *reversed(ROLES)], key=style.role_rank) == [*ROLES, "zzz"]


def test_roles_differ_by_line() -> None:
    known = style.ROLES
    assert known["proposes"].width > known["uses"].width > known["mentions"].width
    assert len({known[r].dashes for r in ("uses", "evaluates_on", "compares_with")}) == 3


def test_an_unknown_kind_or_role_keeps_its_name() -> None:
    assert style.kind_style("theorem").one == "Theorem"
    assert style.kind_style("").one == "Other"
    assert style.role_style("contrasts_with").verb == "contrasts with"
    assert style.role_style("").verb == "is about"


def test_contrast_is_that_of_the_guidelines() -> None:
    assert style.contrast("#ffffff", "#000000") == pytest.approx(21)
    assert style.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_custom_properties_name_every_colour() -> None:
    for theme in THEMES:
        text = style.custom_properties(theme)
        assert f"--ink:{style.THEMES[theme].ink};" in text
        assert all(f"--kind-{kind}:" in text for kind in (*style.KINDS, "other"))
        assert all(f"--tint-{kind}:" in text for kind in (*style.KINDS, "other"))
