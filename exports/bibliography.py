r"""BibTeX, RIS and CSL-JSON: the papers of a graph, for citation managers and LaTeX.

Formats: the entry types and fields of BibTeX (Patashnik, "BibTeXing", 1988), the tags of the
RIS specification of Research Information Systems, and the items of CSL 1.0.2. A file holds
the papers alone, sorted by id, in UTF-8; `kg` reads the same papers back.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from exports.atomic import writing
from exports.published import Published
from exports.view import PaperRecord, View

_LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "#$%&_"},
        "{": r"$\lbrace$",  # BibTeX counts a brace even behind a backslash
        "}": r"$\rbrace$",
        "\\": r"$\backslash$",
        "^": r"\^{}",
        "~": r"\textasciitilde{}",
    }
)
_VERBATIM = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C", " ": "%20"})
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9:._/+-]*")
_NO_KEY = re.compile(r"[^A-Za-z0-9:._/+-]+")
_WORD = re.compile(r"[a-z0-9]{3,}")
_MEETING = re.compile(
    r"\b(?:proceedings|proc\.|conference|workshop|symposium|meeting|findings of"
    r"|advances in neural)",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"(?:jr|sr)\.?|II|III|IV", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[A-Z]\.?-?){1,4}")
_LIST = re.compile(r"\band\b|,", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Kind:
    """What kind of publication a paper is, in the words of each format."""

    entry: str
    venue: str
    tag: str
    item: str


_MEETING_PAPER = _Kind("inproceedings", "booktitle", "CPAPER", "paper-conference")
_ARTICLE = _Kind("article", "journal", "JOUR", "article-journal")
_OTHER = _Kind("misc", "howpublished", "GEN", "article")


def to_bibtex(view: View, *, abstracts: str = "full") -> str:
    r"""Return the papers as BibTeX; a key that came with a paper stays its key.

    Args:
        view: The graph.
        abstracts: "full"; with "evidence" and "none" the abstracts stay out.

    Example:
        >>> to_bibtex(view)  # doctest: +SKIP
        '@article{moth2024,\n  title = {{Deep Trees}},\n  …'
    """
    return "".join(_entries(view, abstracts))


def write_bibtex(view: View, path: Path, *, abstracts: str = "full") -> None:
    """Write the papers as BibTeX; options as for `to_bibtex`."""
    _write(_entries(view, abstracts), path)


def to_ris(view: View, *, abstracts: str = "full") -> str:
    """Return the papers as RIS, with lines that end as the specification says.

    Args:
        view: The graph.
        abstracts: "full"; with "evidence" and "none" the abstracts stay out.
    """
    return "".join(_records(view, abstracts))


def write_ris(view: View, path: Path, *, abstracts: str = "full") -> None:
    """Write the papers as RIS; options as for `to_ris`."""
    _write(_records(view, abstracts), path)


def to_csl(view: View, *, abstracts: str = "full") -> list[dict[str, Any]]:
    """Return the papers as items of CSL, plain JSON values.

    Args:
        view: The graph.
        abstracts: "full"; with "evidence" and "none" the abstracts stay out.
    """
    return list(_items(view, abstracts))


def write_csl(view: View, path: Path, *, abstracts: str = "full") -> None:
    """Write the papers as CSL-JSON, one item a line; options as for `to_csl`."""
    as_json = partial(json.dumps, ensure_ascii=False, sort_keys=True)
    with writing(path) as out:
        out.write(b"[")
        for number, item in enumerate(_items(view, abstracts)):
            out.write((",\n" if number else "\n").encode() + as_json(item).encode())
        out.write(b"\n]\n")


def _write(parts: Iterator[str], path: Path) -> None:
    with writing(path) as out:
        out.writelines(part.encode() for part in parts)


def _entries(view: View, abstracts: str) -> Iterator[str]:
    for paper, key in _keyed(view, abstracts):
        kind = _kind(paper)
        fields = {
            "title": f"{{{_latex(paper.title)}}}" if paper.title else "",
            "author": " and ".join(map(_bibtex_name, paper.authors)),
            "year": str(paper.year or ""),
            kind.venue: _latex(paper.venue),
            "doi": paper.doi.translate(_VERBATIM),
            "url": paper.url.translate(_VERBATIM),
            "keywords": "; ".join(map(_latex, paper.keywords)),
            "abstract": _latex(paper.abstract),
        }
        lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items() if value]
        yield f"@{kind.entry}{{{key},\n{''.join(lines)}}}\n\n"


def _records(view: View, abstracts: str) -> Iterator[str]:
    for paper in Published(view, abstracts).papers():
        tags = [
            ("TY", _kind(paper).tag),
            ("ID", paper.id),
            ("TI", paper.title),
            *(("AU", _ris_name(name)) for name in paper.authors),
            ("PY", str(paper.year or "")),
            ("T2", paper.venue),
            ("DO", paper.doi),
            ("UR", paper.url),
            *(("KW", keyword) for keyword in paper.keywords),
            ("AB", paper.abstract),
        ]
        lines = [f"{tag}  - {_line(value)}\r\n" for tag, value in tags if value.strip()]
        yield "".join([*lines, "ER  - \r\n\r\n"])


def _items(view: View, abstracts: str) -> Iterator[dict[str, Any]]:
    for paper, key in _keyed(view, abstracts):
        item = {
            "id": paper.id,
            "citation-key": key,
            "type": _kind(paper).item,
            "title": paper.title,
            "author": [_csl_name(name) for name in paper.authors],
            "issued": {"date-parts": [[paper.year]]} if paper.year else {},
            "container-title": paper.venue,
            "DOI": paper.doi,
            "URL": paper.url,
            "keyword": "; ".join(paper.keywords),
            "abstract": paper.abstract,
        }
        yield {name: value for name, value in item.items() if value}


def _keyed(view: View, abstracts: str) -> Iterator[tuple[PaperRecord, str]]:
    """Yield the papers, each with a key of its own; BibTeX takes no notice of case."""
    used: set[str] = set()
    for paper in Published(view, abstracts).papers():
        wanted = _citation_key(paper)
        key, number = wanted, 1
        while key.lower() in used:
            number += 1
            key = f"{wanted}-{number}"
        used.add(key.lower())
        yield paper, key


def _citation_key(paper: PaperRecord) -> str:
    """Return the key that the paper came with; one made of author, year and title if none."""
    names = [paper.id] * (paper.id != paper.doi) + [
        name for name in paper.also_known_as if not name.startswith("10.")
    ]
    known = next(filter(_KEY.fullmatch, names), "")
    if known or not paper.doi:
        return known or _NO_KEY.sub("-", _ascii(paper.id)).strip("-:._/+") or "paper"
    author = _ascii(_parts(paper.authors[0])[1]).lower() if paper.authors else ""
    title = next((word for word in _WORD.findall(_ascii(paper.title).lower())), "")
    made = _NO_KEY.sub("", f"{author}{paper.year or ''}{title}").lstrip(":._/+-")
    return made or _NO_KEY.sub("-", _ascii(paper.doi))


def _kind(paper: PaperRecord) -> _Kind:
    if not paper.venue:
        return _OTHER
    return _MEETING_PAPER if _MEETING.search(paper.venue) else _ARTICLE


def _parts(name: str) -> tuple[str, str, str]:
    """Return given name, family name with its particles, and suffix.

    A name that cannot be told apart is a family name alone.

    Example:
        >>> _parts("Ludwig van Beethoven"), _parts("OpenAI")
        (('Ludwig', 'van Beethoven', ''), ('', 'OpenAI', ''))
    """
    words = name.split()
    suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    if len(words) < 2 or _LIST.search(name) or _INITIALS.fullmatch(words[-1]):
        return "", " ".join(name.split()), ""
    family = len(words) - 1
    while family > 1 and words[family - 1].islower():
        family -= 1
    return " ".join(words[:family]), " ".join(words[family:]), suffix


def _bibtex_name(name: str) -> str:
    given, family, suffix = _parts(name)
    if suffix:
        return ", ".join(map(_latex, (family, suffix, given)))
    if not given and (" " in family or family.casefold() == "others" or _LIST.search(family)):
        return f"{{{_latex(name)}}}"
    return _latex(name)


def _ris_name(name: str) -> str:
    given, family, suffix = _parts(name)
    if not given:
        return _line(family.replace(",", " "))  # a comma would turn the name round
    return ", ".join(filter(None, (family, given, suffix)))


def _csl_name(name: str) -> dict[str, str]:
    given, family, suffix = _parts(name)
    if not given:
        return {"literal": family}
    return {"family": family, "given": given} | ({"suffix": suffix} if suffix else {})


def _latex(text: str) -> str:
    return _line(text).translate(_LATEX)


def _line(text: str) -> str:
    """Return a text on one line, so that none of it begins a tag or an entry."""
    return " ".join(text.split())


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
