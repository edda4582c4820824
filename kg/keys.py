"""The canonical key of a name: equal for the spellings of one name, and for no others.

Two steps: `fold` gives a readable key ("Graph Neural Networks" -> "graph neural network"),
`squash` drops what only parts its words ("fine tuning" -> "finetuning"). The key is never
shown as a label, so that a rule may be blunt where it is consistent.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from extractors import gazetteer
from extractors.shapes import find_shapes

_GREEK = {
    ord(letter): f" {name} "
    for name, letter in {
        "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ",
        "eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ",
        "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ",
        "omega": "ω",
    }.items()
}  # fmt: skip
_QUOTES = re.compile(r"[\"'“”‘’`´]")
_SEPARATORS = re.compile(r"[\s\-‐‑‒–—_/]+")
_DATASET_HEAD = re.compile(
    r"\s+(?:data\s?sets?|datasets?|corpus|corpora|databases?|collections?|benchmarks?)\Z"
)
_PARTING_BLANK = re.compile(r"(?<!\d) | (?!\d)")

_IRREGULAR = {
    "corpora": "corpus", "matrices": "matrix", "vertices": "vertex", "indices": "index",
    "indexes": "index", "criteria": "criterion", "phenomena": "phenomenon", "automata": "automaton",
    "movies": "movie", "cookies": "cookie", "caches": "cache", "axes": "axis", "mice": "mouse",
    "people": "person", "children": "child", "lens": "lens", "series": "series",
    "species": "species", "hypernyms": "hypernym", "news": "news", "means": "means",
    "atlas": "atlas", "canvas": "canvas", "always": "always", "chaos": "chaos", "gas": "gas",
    "alias": "alias", "aliases": "alias", "biases": "bias", "lenses": "lens", "gases": "gas",
}  # fmt: skip
_NO_PLURAL = re.compile(r"(ss|us|is|ics|ias|sis)$")
_BRITISH = [
    (
        re.compile(r"(?<=\w)(?<!p)([lnr]|im|tom|at|et|nt|it|ot|rd|id)is(e[dr]?s?|ing|ations?)$"),
        r"\1iz\2",
    ),
    (re.compile(r"lys(e[dr]?s?|ing)$"), r"lyz\1"),
    (re.compile(r"^(behavi|col|neighb|fav|lab|hon|hum|tum|vap|flav)our"), r"\1or"),
    (re.compile(r"(\w[aeiou])ll(ing|ed|er)$"), r"\1l\2"),
    (re.compile(r"^(cent|fib|met|theat)re$"), r"\1er"),
    (re.compile(r"^(dial|catal|anal)ogues?$"), r"\1og"),
    (re.compile(r"^(def|off)ence$"), r"\1ense"),
    (re.compile(r"^grey"), "gray"),
    (re.compile(r"^artefact"), "artifact"),
    (re.compile(r"^programmes?$"), "program"),
]  # fmt: skip


def singular(word: str) -> str:
    """Return a word's singular by rule, case kept; a word that is none stays as it is.

    Example:
        >>> [singular(w) for w in ("GANs", "corpora", "bias", "analyses", "GPS")]
        ['GAN', 'corpus', 'bias', 'analysis', 'GPS']
    """
    lower = word.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if word.endswith("s") and word[:-1].isupper():
        return word[:-1]
    if len(word) < 4 or not word.endswith("s") or word.isupper() or _NO_PLURAL.search(lower):
        return word
    if lower.endswith(("alyses", "theses", "bases")):
        return word[:-2] + "is"
    if lower.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if lower.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1]


def american(word: str) -> str:
    """Return a lower-case word in American spelling.

    Example:
        >>> [american(w) for w in ("optimisation", "behaviour", "modelling", "supervised")]
        ['optimization', 'behavior', 'modeling', 'supervised']
    """
    for pattern, replacement in _BRITISH:
        word = pattern.sub(replacement, word)
    return word


@lru_cache(maxsize=1 << 18)
def fold(name: str) -> str:
    """Return the readable key of a name: lower case, singular, one spelling, blanks only.

    Names that curated knowledge parts by case alone (SuperGLUE, SuperGlue) keep theirs.

    Example:
        >>> fold("Graph-Neural Networks"), fold("β-VAE"), fold("C++")
        ('graph neural network', 'beta vae', 'c++')
    """
    words = _words(name)
    if not words:
        return name.strip()
    if name.strip() in _case_bound():
        return name.strip()
    return _folded(words)


def squash(key: str) -> str:
    """Return a readable key without the blanks that only part words (digits stay apart).

    Example:
        >>> squash("fine tuning"), squash("llama 2 7b")
        ('finetuning', 'llama2 7b')
    """
    return _PARTING_BLANK.sub("", key)


def head_suffixes(key: str) -> list[str]:
    """Return the shorter names that end a folded name, the longest first.

    Example:
        >>> head_suffixes("one shot federated learning")
        ['shot federated learning', 'federated learning', 'learning']
    """
    words = key.split(" ")
    return [" ".join(words[i:]) for i in range(1, len(words))]


def bare(dataset: str) -> str:
    """Return a data set's name without the word that says what it is, where a name remains.

    What curated knowledge calls by the whole name keeps it.

    Example:
        >>> [bare(name) for name in ("MNIST dataset", "Chinese corpus", "Visual Genome data set")]
        ['MNIST', 'Chinese corpus', 'Visual Genome']
    """
    rest = _DATASET_HEAD.sub("", dataset)
    if rest == dataset or dataset in _curated_datasets():
        return dataset
    shapes = find_shapes(f"on {rest}")
    whole = any(shape.start == 3 and shape.end == 3 + len(rest) for shape in shapes)
    return rest if whole or rest in _curated_datasets() else dataset


@cache
def _curated_datasets() -> frozenset[str]:
    entries = (entry for entry in gazetteer.entries() if entry.kind == "dataset")
    return frozenset(name for entry in entries for name in entry.names)


def _words(name: str) -> list[str]:
    text = unicodedata.normalize("NFKC", _QUOTES.sub("", name))
    text = text.translate(_GREEK)
    return [word for word in _SEPARATORS.split(text) if word.strip("()[]{},;:.")]


def _folded(words: list[str]) -> str:
    *front, last = (word.strip("()[]{},;:.") for word in words)
    return " ".join(american(word.casefold()) for word in (*front, singular(last)))


@cache
def _case_bound() -> frozenset[str]:
    by_key: dict[str, dict[str, str]] = {}
    for entry in gazetteer.entries():
        for name in (entry.label, *entry.aliases):
            by_key.setdefault(squash(_folded(_words(name))), {})[name] = entry.label
    return frozenset(
        name
        for names in by_key.values()
        if len(set(names.values())) > 1
        for name in names
        if name != name.lower()
    )
