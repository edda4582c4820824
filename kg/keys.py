"""The canonical key of a name: equal for the spellings of one name, and for no others.

Two steps: `fold` gives a readable key ("Graph Neural Networks" -> "graph neural network"),
`squash` drops what only parts its words ("fine tuning" -> "finetuning"). The key is never
shown as a label, so that a rule may be blunt where it is consistent.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from extractors import gazetteer
from extractors.shapes import find_shapes

_GREEK = {
    ord(letter): f" {name} "
    for name, letter in {
        "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ",
        "eta": "η", "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
        "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ",
        "chi": "χ", "psi": "ψ", "omega": "ω",
    }.items()
    for letter in (letter, letter.upper())
}  # fmt: skip
_GREEK_IN_TEX = re.compile(
    r"\$?\\(?:var)?(" + "|".join(name.strip() for name in _GREEK.values()) + r")(?![a-z])\s*\$?",
    re.IGNORECASE,
)
_ACCENT = re.compile(r"(?<=[a-z])[\u0300-\u036f]+", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?<=\w)['’]s(?!\w)")
_QUOTES = re.compile(r"[\"'“”‘’`´]")
_SEPARATORS = re.compile(r"[\s\-‐‑‒–—_/]+")
_DATASET_HEAD = re.compile(
    r"\s+(?:data\s?sets?|datasets?|corpus|corpora|databases?|collections?|benchmarks?)\Z"
)
_PARTING_BLANK = re.compile(r"(?<!\d) | (?!\d)")
_DIGITS_APART = re.compile(r"\d \d")

_IRREGULAR = {
    "corpora": "corpus", "matrices": "matrix", "vertices": "vertex", "indices": "index",
    "indexes": "index", "criteria": "criterion", "phenomena": "phenomenon", "automata": "automaton",
    "movies": "movie", "cookies": "cookie", "caches": "cache", "axes": "axis", "mice": "mouse",
    "people": "person", "children": "child", "lens": "lens", "series": "series",
    "species": "species", "hypernyms": "hypernym", "news": "news", "means": "means",
    "atlas": "atlas", "canvas": "canvas", "always": "always", "chaos": "chaos", "gas": "gas",
    "alias": "alias", "aliases": "alias", "biases": "bias", "lenses": "lens", "gases": "gas",
    "formulae": "formula", "schemata": "schema", "leaves": "leaf", "halves": "half",
    "heroes": "hero", "stimuli": "stimulus", "nuclei": "nucleus", "loci": "locus", "foci": "focus",
    "radii": "radius", "diagnoses": "diagnosis", "crises": "crisis",
    "emphases": "emphasis", "synopses": "synopsis", "prognoses": "prognosis",
    "equilibria": "equilibrium", "minima": "minimum", "maxima": "maximum", "optima": "optimum",
    "metastases": "metastasis", "stenoses": "stenosis", "bases": "basis",
}  # fmt: skip
_INVARIABLE = frozenset({
    "bayes", "keras", "pandas", "stokes", "dickens", "descartes", "texas", "reuters", "kubernetes",
    "jenkins", "postgres", "diabetes", "rabies", "herpes", "measles", "hertz", "cosmos", "pathos",
    "ethos", "thomas", "jonas", "lucas", "mars", "james", "williams", "rhodes",
})  # fmt: skip
_NO_PLURAL = re.compile(r"(ss|us|is|ics|ias|sis|Ops|aaS)$")
_PLURAL_OF_IC = re.compile(
    r"(?:\b(?:metr|top|log|characterist|crit|clin|fabr|mosa|epidem|pandem|antibiot|gener)"
    r"|heurist)ics$"
)
_PLURAL_OF_US = re.compile(r"(?:vir|foc|corp|b|stat|cens|consens|bon|camp)uses$")
_BASES_OF = frozenset(["knowledge", "data", "code", "rule", "case", "fact", "user", "test"])
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
    (re.compile(r"^centr(ed|ing)$"), r"center\1"),
    (re.compile(r"^(fulfil|enrol|instal)ment"), r"\1lment"),
    (re.compile(r"^licence"), "license"),
    (re.compile(r"^sulph"), "sulf"),
    (re.compile(r"^(h)ae(m[oa])"), r"\1e\2"),
    (re.compile(r"^(p)ae(di)"), r"\1e\2"),
    (re.compile(r"^(an)ae(sth|m)"), r"\1e\2"),
    (re.compile(r"^ageing$"), "aging"),
    (re.compile(r"^(judg|acknowledg)ement"), r"\1ment"),
    (re.compile(r"^aluminium$"), "aluminum"),
]  # fmt: skip
_ANY_BRITISH = re.compile("|".join(pattern.pattern for pattern, _ in _BRITISH))
_ONE_WORD = {
    "adaption": "adaptation", "analytical": "analytic", "dynamical": "dynamic",
    "resourced": "resource", "learnt": "learned",
}  # fmt: skip
_ACT = {
    "detector": "detection", "estimator": "estimation", "estimate": "estimation",
    "approximator": "approximation", "classifier": "classification", "parser": "parsing",
    "tagger": "tagging", "tracker": "tracking", "recognizer": "recognition",
    "segmenter": "segmentation", "extractor": "extraction", "summarizer": "summarization",
    "retriever": "retrieval", "test": "testing", "net": "network", "transformation": "transform",
}  # fmt: skip
"""Last words of a longer name beside the word that names the same idea."""
_SAID_SHORTER = {
    "learning": [
        (re.compile(r"(?<=\w representation)(?<!knowledge representation) learning$"), "")
    ],
    "network": [
        (re.compile(r"\b(convolutional|recurrent) network$"), r"\1 neural network"),
    ],
}


@lru_cache(maxsize=1 << 14)
def singular(word: str) -> str:
    """Return a word's singular by rule, case kept; a word that is none stays as it is.

    Example:
        >>> [singular(w) for w in ("GANs", "corpora", "bias", "analyses", "GPS")]
        ['GAN', 'corpus', 'bias', 'analysis', 'GPS']
    """
    lower = word.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if not lower.endswith("s") or lower in _INVARIABLE:
        return word
    if _PLURAL_OF_IC.search(lower):
        return word[:-1]
    if _PLURAL_OF_US.search(lower):
        return word[:-2]
    if word.endswith("s") and (word[:-1].isupper() or (len(word) > 3 and word[-3:-1].isupper())):
        return word[:-1]
    if len(word) < 4 or not word.endswith("s") or word.isupper() or _is_no_plural(word):
        return word
    if lower.endswith(("alyses", "theses")):
        return word[:-2] + "is"
    if lower.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if lower.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1]


def _is_no_plural(word: str) -> bool:
    return bool(_NO_PLURAL.search(word) or _NO_PLURAL.search(word.lower()))


@lru_cache(maxsize=1 << 15)
def american(word: str) -> str:
    """Return a lower-case word in American spelling.

    Example:
        >>> [american(w) for w in ("optimisation", "behaviour", "modelling", "supervised")]
        ['optimization', 'behavior', 'modeling', 'supervised']
    """
    if _ANY_BRITISH.search(word):
        for pattern, replacement in _BRITISH:
            word = pattern.sub(replacement, word)
    return word


@lru_cache(maxsize=1 << 14)
def fold(name: str) -> str:
    """Return the readable key of a name: lower case, singular, one spelling, blanks only.

    Names that case alone parts from another (SuperGLUE, SuperGlue) or from a word (Adult, MATH)
    keep theirs.

    Example:
        >>> fold("Graph-Neural Networks"), fold("β-VAE"), fold("C++")
        ('graph neural network', 'beta vae', 'c++')
    """
    words = _words(name)
    if not words:
        return name.strip()
    if name != name.lower() and (one := singular(name.strip())) in _case_bound():
        return one
    return _folded(words)


class Spelling(NamedTuple):
    """A name without what case, plural and the like add: readable, and as a key."""

    readable: str
    key: str


class Spellings(dict[str, Spelling]):
    """The spellings of names, each worked out but once: for work that comes back to them.

    Example:
        >>> Spellings()["Fine-Tuning"]
        Spelling(readable='fine tuning', key='finetuning')
    """

    def __missing__(self, name: str) -> Spelling:
        """Work out the spelling of a name and keep it."""
        readable = fold(name)
        spelling = self[name] = Spelling(readable, squash(readable))
        return spelling


def squash(key: str) -> str:
    """Return a readable key without the blanks that only part words (digits stay apart).

    Behind other words, who does it and what is done are one: a detector, the detection.

    Example:
        >>> squash("fine tuning"), squash("llama 2 7b"), squash("object detector")
        ('finetuning', 'llama2 7b', 'objectdetection')
    """
    before, blank, last = key.rpartition(" ")
    if not blank:
        return key
    last = _ACT.get(last, last)
    key = f"{before} {last}"
    for pattern, replacement in _SAID_SHORTER.get(last, ()):
        key = pattern.sub(replacement, key)
    return _PARTING_BLANK.sub("", key) if _DIGITS_APART.search(key) else key.replace(" ", "")


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
    plain = name.isascii() and "\\" not in name  # as most are: neither Greek nor accents
    text = name if plain else _GREEK_IN_TEX.sub(r" \1 ", unicodedata.normalize("NFKC", name))
    text = _QUOTES.sub("", _POSSESSIVE.sub("", text))
    text = (text if plain else _in_latin(text)).replace(" & ", " and ")
    return [word for word in _SEPARATORS.split(text) if word.strip("()[]{},;:.")]


def _in_latin(text: str) -> str:
    """Return a text with the names of Greek letters, and Latin ones without their accents."""
    bare_text = _ACCENT.sub("", unicodedata.normalize("NFD", text.translate(_GREEK)))
    return unicodedata.normalize("NFC", bare_text)


def _folded(words: list[str]) -> str:
    bare_words = [word.strip("()[]{},;:.") for word in words]
    bare_words[-1] = _head(bare_words[-1], bare_words[:-1])
    for i, following in enumerate(bare_words[1:]):
        if following.lower() == "of":
            bare_words[i] = _head(bare_words[i], bare_words[:i])
    folded = [american(word.casefold()) for word in bare_words]
    return " ".join(_ONE_WORD.get(word, word) for word in folded)


def _head(noun: str, before: Sequence[str]) -> str:
    """Return the singular of a noun; "bases" is that of "base" behind some words."""
    if noun.lower() == "bases" and before and before[-1].lower() in _BASES_OF:
        return "base"
    return singular(noun)


@cache
def _case_bound() -> frozenset[str]:
    by_key: dict[str, dict[str, str]] = {}
    for entry in gazetteer.entries():
        for name in entry.names:
            by_key.setdefault(squash(_folded(_words(name))), {})[name] = entry.label
    rivals = (name for names in by_key.values() if len(set(names.values())) > 1 for name in names)
    words = (singular(n) for entry in gazetteer.entries() if entry.word for n in entry.names)
    return frozenset(name for name in (*rivals, *words) if name != name.lower())
