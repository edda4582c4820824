"""Mark-up as publishers and indexes give it: JATS, MathML, HTML, and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from kg.clean import clean_text
from kg.clean.mathml import formula_to_tex

MML = 'xmlns:mml="http://www.w3.org/1998/Math/MathML"'

CHANGES = {
    "sections": (
        "<jats:sec><jats:title>Aims</jats:title><jats:p>To see.</jats:p></jats:sec>"
        "<jats:sec><jats:title>Methods:</jats:title><jats:p>We look.</jats:p></jats:sec>",
        "Aims: To see. Methods: We look.",
    ),
    "the title of the abstract": ("<jats:title>Abstract</jats:title><p>We do.</p>", "We do."),
    "both forms of a formula": (
        "a <jats:inline-formula><jats:alternatives><jats:tex-math>\\documentclass{minimal}"
        "\\begin{document}$$n^2$$\\end{document}</jats:tex-math>"
        f"<mml:math {MML}><mml:msup><mml:mi>n</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math>"
        "</jats:alternatives></jats:inline-formula> bound",
        "a n² bound",
    ),
    "TeX alone": (
        '<inline-formula> <tex-math notation="LaTeX">$k$ </tex-math></inline-formula>-means',
        "k-means",
    ),
    "TeX in its document": (
        "<tex-math>\\usepackage{amsmath}\\begin{document}$O(n)$\\end{document}</tex-math> time",
        "O(n) time",
    ),
    "a fraction": (
        "<math><mfrac><mn>1</mn><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></mfrac></math> long",
        "1/(n+1) long",
    ),
    "indices and a default namespace": (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><msub><mi>y</mi><mi>i</mi></msub></math>',
        "y_i",
    ),
    "a root and a Greek entity": (
        "<math><msqrt><mi>&alpha;</mi></msqrt></math> and <m:math><m:mi>x</m:mi></m:math>",
        "√α and x",
    ),
    "a formula that is no XML": ("of <math><mi>x</math>", "of x"),
    "an annotation": (
        "<math><semantics><mi>x</mi><annotation>x</annotation></semantics></math>", "x"
    ),
    "scripts": (
        "PM<sub>2.5</sub>, x<sub>i</sub>, H<SUB>2</SUB>O, 9<sup>-3</sup>, m<sup>n</sup>",
        "PM2.5, x_i, H2O, 9⁻³, m^n",
    ),
    "headings": ("<h3>Motivation</h3><p>Text.</p>", "Motivation: Text."),
    "attributes": ("<p class='a' id=\"b\">One</p><p>Two<br/>three</p>", "One Two three"),
    "links": ('at <a href="http://e.x/a">our site</a>', "at our site (http://e.x/a)"),
    "escaped tags": ("&lt;p&gt;A &lt;i&gt;cat&lt;/i&gt; &amp;lt; dogs&lt;/p&gt;", "A cat < dogs"),
    "unclosed tags": ("<p>a <b>cat and <i>dogs", "a cat and dogs"),
    "comments and character data": ("a<!-- no --> <![CDATA[cat]]> sat", "a cat sat"),
    "Springer": (
        '<Para>of <InlineEquation ID="IEq1"><EquationSource Format="TEX">$x^2$</EquationSource>'
        '</InlineEquation> and <Emphasis Type="Italic">cats</Emphasis></Para>',
        "of x² and cats",
    ),
    "Elsevier": ("<ce:para>A <ce:italic>cat</ce:italic> sat.</ce:para>", "A cat sat."),
    "PubMed": ('<AbstractText Label="AIM">See <i>E. coli</i>.</AbstractText>', "See E. coli."),
}  # fmt: skip

STAYS = [
    "tokens <unk>, <mask> and <EOS> of List<T>",
    "triples <subject, relation, object>",
    "p<0.05 and n>3, if a <b and c> d",
    "the arrow <- and ->, the heart <3",
]


@pytest.mark.parametrize(("raw", "clean"), CHANGES.values(), ids=CHANGES)
def test_mark_up_becomes_text(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_mark_up_stays(text: str) -> None:
    assert clean_text(text) == text


@pytest.mark.parametrize(
    "raw", ["<math>" + "<mrow>" * 1500 + "</math>", "<math>" + "<mi>x</mi>" * 9999 + "</math>"]
)
def test_a_formula_without_end_is_no_formula(raw: str) -> None:
    assert formula_to_tex(raw) is None
    assert "<" not in clean_text(f"of {raw}")


TAGS = ["math", "mrow", "mi", "msup", "mfrac", "msqrt", "mtable", "mover", "mfenced", "tex-math"]
pieces = st.sampled_from(
    [tag for name in TAGS for tag in (f"<{name}>", f"</{name}>")]
    + ["<alternatives>", "</alternatives>", "<mi>x</mi>", "<mn>2</mn>", "a", " ", "&", "&lt;", "$"]
)


@given(st.lists(pieces, max_size=20).map("".join))
def test_broken_formulas_are_cleaned_once_and_for_all(raw: str) -> None:
    once = clean_text(raw)
    assert clean_text(once) == once
