r"""Tables of LaTeX commands: what each stands for, or what is to be done with its argument.

The symbols come from pylatexenc; the tables here say what it does not, or says otherwise
than one would want to read it.
"""

from __future__ import annotations

import re
from functools import cache


def names(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


ESCAPED = frozenset("\\%&#_${} ,;:!/|-")
"""Commands of one character that take no argument."""

SWITCHES = names(
    """em it bf rm sf sc tt sl cal bfseries itshape scshape slshape ttfamily sffamily rmfamily
    mdseries upshape normalfont tiny scriptsize footnotesize small normalsize large Large LARGE
    huge Huge centering raggedright noindent indent displaystyle textstyle scriptstyle left
    right middle big Big bigg Bigg bigl bigr bigm Bigl Bigr biggl biggr Biggl Biggr limits
    nolimits protect allowbreak nobreak relax maketitle nonumber notag mathstrut null"""
)
"""Commands that change how the rest looks; they go, with the space after them."""

SPACES = names(
    """par newline linebreak quad qquad enspace enskip thinspace space item hfill smallskip medskip
    bigskip newpage clearpage"""
)

DROPPED = names(
    """begin end label ref eqref cref Cref autoref pageref color vspace hspace vskip hskip
    includegraphics bibliography bibliographystyle thanks index pagestyle thispagestyle phantom
    hphantom vphantom footnotemark input include usepackage documentclass"""
)
"""Commands that vanish with their first argument."""

LAST = names(
    """textcolor colorbox fcolorbox texorpdfstring hyperlink hyperref raisebox scalebox resizebox
    parbox stackrel"""
)
"""Commands of which only the last argument is read."""

ONE = names(
    """mathbb mathds mathcal mathscr mathfrak mathbf mathrm mathit mathsf mathtt mathnormal
    boldsymbol bm pmb underline overline mathop smash textbf textit emph texttt textsc textsf
    textrm textsl textup textnormal text mbox hbox"""
)
"""Fonts: they take one argument, with or without braces, and leave it as it is."""

TEXT = names("""text mbox hbox textrm textnormal textbf textit emph texttt textsc textsf""")
"""Fonts whose argument is text even in maths."""

FUNCTIONS = names(
    """arccos arcsin arctan arg argmax argmin cos cosh cot coth csc deg det diag dim exp gcd hom
    inf ker lg lim liminf limsup ln log max min mod Pr poly polylog rank sec sgn sign sin sinh
    softmax sup supp tan tanh Tr tr"""
)

LARGE = {
    "sum": "∑", "prod": "∏", "int": "∫", "bigcup": "⋃", "bigcap": "⋂", "bigoplus": "⨁",
}  # fmt: skip

RELATIONS = names(
    """le leq leqslant leqq ge geq geqslant geqq ne neq in notin ni subset subseteq supset supseteq
    subsetneq approx approxeq sim simeq equiv cong propto to rightarrow leftarrow leftrightarrow
    longrightarrow Rightarrow Leftarrow Leftrightarrow Longrightarrow implies iff mapsto gets ll
    gg lesssim gtrsim asymp prec succ preceq succeq mid parallel perp triangleq coloneqq coloneq
    doteq models vdash land lor wedge vee cup cap setminus leadsto rightsquigarrow"""
)
OPERATORS = names("""times cdot pm mp otimes oplus circ ast star div bullet odot over""")

WORDS = {
    "ie": "i.e.", "eg": "e.g.", "etal": "et al.", "etc": "etc.", "wrt": "w.r.t.", "iid": "i.i.d.",
    "vs": "vs.", "cf": "cf.", "st": "s.t.", "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX",
    "eps": "ε", "epsilon": "ε", "varepsilon": "ε", "phi": "φ", "varphi": "φ", "ell": "ℓ",
    "R": "ℝ", "RR": "ℝ", "reals": "ℝ", "Reals": "ℝ", "real": "ℝ", "Real": "ℝ", "N": "ℕ", "NN": "ℕ",
    "Z": "ℤ", "ZZ": "ℤ", "ints": "ℤ", "Q": "ℚ", "C": "ℂ", "CC": "ℂ", "Re": "Re", "Im": "Im",
    "cdots": "…", "dotsb": "…", "dotsm": "…", "ast": "*", "colon": ":", "coloneqq": ":=",
    "coloneq": ":=", "implies": "⇒", "iff": "⇔", "gets": "←", "ne": "≠", "leadsto": "⇝",
    "models": "⊨", "leqslant": "≤", "geqslant": "≥", "land": "∧", "lor": "∨", "neg": "¬",
    "over": "/", "S": "§", "P": "¶", "dag": "†", "ddag": "‡", "copyright": "©", "pounds": "£",
    "euro": "€", "degree": "°", "checkmark": "✓", "prime": "′", "lbrack": "[", "rbrack": "]",
    "lq": "‘", "rq": "’", "slash": "/", "xspace": "", "textquotesingle": "'", "and": " and ",
    "quote": '"', "textdollar": "$", "textpercent": "%", "mathellipsis": "…", "bigstar": "★",
}  # fmt: skip

BLACKBOARD = {"C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"}

LETTERS = names("ss o O l L ae AE oe OE aa AA i j dh DH th TH dj DJ ng NG")
"""Letters of Latin alphabets; the space after them only ends the command."""

OPENING = names("lfloor lceil langle lvert lVert lbrace lbrack")

ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306",
    ".": "\u0307", '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323",
    "c": "\u0327", "k": "\u0328", "b": "\u0331", "t": "\u0361", "hat": "\u0302",
    "widehat": "\u0302", "Hat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303",
    "Tilde": "\u0303", "wt": "\u0303", "bar": "\u0304", "Bar": "\u0304", "breve": "\u0306",
    "dot": "\u0307", "ddot": "\u0308", "mathring": "\u030a", "check": "\u030c", "vec": "\u20d7",
    "acute": "\u0301", "grave": "\u0300",
}  # fmt: skip
"""The combining character of each accent, of text and of maths."""

GLUED = (
    r"emph|text(?:bf|it|tt|sc|rm)|math(?:bb|bf|cal|it|rm|sf|tt)|(?:wide)?tilde|sqrt|log|begin|end"
)
"""Commands that lost their braces on the way ("mathcalO", "sqrtT")."""

TEXT_SPACES = {
    ",": " ", ";": " ", ":": " ", "!": "", "-": "", "/": "", "@": "", "\\": " ", "\n": " ",
    "\t": " ", "|": "‖", "(": "", ")": "", "[": "", "]": "",
}  # fmt: skip
MATHS_SPACES = TEXT_SPACES | {",": "", ">": " "}

_NOT_SYMBOLS = names("today hint hints hinweis hinweise id title author date")


@cache
def symbols() -> dict[str, str]:
    """Return the characters that commands stand for, by the command's name."""
    from pylatexenc.latex2text import get_default_latex_context_db

    found = dict(WORDS)
    for spec in get_default_latex_context_db().iter_macro_specs():
        text = spec.simplify_repl
        known = isinstance(text, str) and spec.macroname.isalpha()
        if known and not re.search("[%<]", text) and spec.macroname not in _NOT_SYMBOLS:
            found.setdefault(spec.macroname, text.strip() or " ")
    return found
