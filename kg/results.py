"""Results as the graph knows them: of a paper, with the concepts that their names mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from extractors import mention
from extractors.matcher import singular
from extractors.mention import Extraction
from kg.model import Evidence, Paper, Result

_Places = Mapping[tuple[str, str], str]


def report(
    papers: Iterable[Paper],
    extracted: Mapping[str, Mapping[tuple[str, str], Extraction]],
    mentions: Iterable[Evidence],
) -> Iterator[Result]:
    """Yield the results of all papers, sorted by paper and place; one a place and metric.

    Args:
        papers: The papers, sorted by id.
        extracted: Paper id -> (extractor, version) -> what it says of the paper.
        mentions: Every place that names a concept; a name means in a result what it means there.
    """
    concepts = {(m.paper, _form(m.quote)): m.concept for m in mentions}
    for paper in papers:
        found: dict[tuple[str, int, int, str], Result] = {}
        for extractor, extraction in sorted(extracted.get(paper.id, {}).items()):
            for said in extraction.results:
                place = said.field, said.start, said.end, said.metric
                found.setdefault(place, _result(paper, said, extractor, concepts))
        yield from (found[place] for place in sorted(found))


def _result(
    paper: Paper, said: mention.Result, extractor: tuple[str, str], concepts: _Places
) -> Result:
    text = {"title": paper.title, "abstract": paper.abstract}.get(said.field, "")
    named = {
        "metric_concept": said.metric,
        "dataset_concept": said.dataset,
        "task_concept": said.task,
        "method_concept": said.method,
        "compared_concept": said.compared_method,
    }
    return Result(
        paper=paper.id,
        metric=said.metric,
        relation=said.relation,
        value=said.value,
        unit=said.unit,
        qualifier=said.qualifier,
        dataset=said.dataset,
        task=said.task,
        method=said.method,
        compared_value=said.compared_value,
        compared_method=said.compared_method,
        field=said.field,
        start=said.start,
        end=said.end,
        quote=text[said.start : said.end],
        sentence=text[said.sentence_start : said.sentence_end],
        sentence_start=said.sentence_start,
        extractor=extractor[0],
        version=extractor[1],
        **{name: concepts.get((paper.id, _form(words))) for name, words in named.items()},
    )


def _form(words: str) -> str:
    return singular(words).casefold()
