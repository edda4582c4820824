"""Language: told for texts that have words enough, English where it is not sure."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from kg.language import detect

LANGUAGES = {
    "en": "We present a fast method for the analysis of graphs, which needs no labels.",
    "fr": "Nous présentons une méthode rapide pour l'analyse de graphes sans aucune annotation.",
    "de": "Wir stellen ein schnelles Verfahren zur Analyse von Graphen vor, ganz ohne Daten.",
    "es": "Presentamos un método rápido para el análisis de grafos que no necesita etiquetas.",
    "pt": "Apresentamos um método rápido para a análise de grafos que não precisa de rótulos.",
    "ru": "Мы представляем быстрый метод анализа графов, который не требует разметки данных.",
    "zh": "本文提出了一种快速的图分析方法，该方法不需要任何标注数据，并且效果良好。",
    "ja": "本稿では、ラベルを必要としないグラフ解析の高速な手法を提案し、その効果を示す。",
    "": "BERT",
}  # fmt: skip


@pytest.mark.parametrize(("code", "text"), LANGUAGES.items(), ids=lambda value: value[:8])
def test_language(code: str, text: str) -> None:
    assert detect(text) == code


@pytest.mark.parametrize("code", ["en", "fr", "de", "zh"])
def test_a_long_text_is_of_the_language_of_its_sentences(code: str) -> None:
    assert detect(" ".join([LANGUAGES[code]] * 30)) == code


def test_symbols_do_not_make_english_foreign() -> None:
    text = "Under ε-DP, SGD attains Õ(√(d/n)) excess risk ∀ β ∈ (0, 1), λ ≤ μ/2: tight as n → ∞."
    assert detect(text) == "en"


@pytest.mark.parametrize("text", ["", "1990 - 1991, 12 (3): 45-67. " * 9, "the of a", "√ ∑ " * 60])
def test_too_few_letters_have_no_language(text: str) -> None:
    assert detect(text) == ""


@given(st.text(st.characters(exclude_categories=()), max_size=300))
def test_any_text_has_an_answer(text: str) -> None:
    assert detect(text) in ("",) or len(detect(text)) == 2
