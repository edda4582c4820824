"""Texts in, extractions out: what the cache holds is not asked again.

texts ──▶ what is missing ──▶ parts ──▶ engine ──▶ cache, part by part ──▶ extractions
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path

from extractors.mention import Extraction, Extractor, ExtractorError, Text, check
from kg.cache import Cache, text_key
from kg.engine import map_parts, parts_of, processes
from kg.errors import ExtractionError

CRASHED = "its extraction ends the process: three workers died of it"

Extractions = Mapping[tuple[str, str], Extraction]
Found = Mapping[int, Extraction]

_LEAST, _MOST = 25, 200  # texts of a part: few are lost when a run stops, files stay few
_PARTS = 8  # a process, so that all end at about the same time


@dataclass(frozen=True, slots=True)
class Request:
    """A text, and the numbers of the extractors that are asked about it."""

    key: str
    text: Text
    asked: tuple[int, ...]


def extract_missing(
    texts: Mapping[str, Text],
    using: Sequence[Extractor],
    folder: Path,
    *,
    jobs: int | None,
    report: Callable[[int, int], None],
) -> dict[str, Extractions]:
    """Return what each extractor says of each text; a part that is done is cached at once.

    Args:
        texts: By id; the same words are extracted once.
        using: The extractors.
        folder: The cache's folder.
        jobs: Processes; None for as many as pay, at most one a core.
        report: Called with (texts done, texts in all).

    Returns:
        Extractions by id, without the texts whose extraction ends the process.

    Raises:
        ExtractionError: If an extractor fails.
    """
    stores = [Cache(folder, extractor) for extractor in using]
    known = [store.read() for store in stores]
    keys = {name: text_key(text) for name, text in texts.items()}
    requests = _missing({keys[name]: text for name, text in texts.items()}, known)
    total = len(set(keys.values()))
    done = total - len(requests)
    report(done, total)
    with closing(_answers(requests, using, processes(jobs, len(requests)))) as parts:
        for start, answers in parts:
            part = requests[start : start + len(answers)]
            for number, (store, before) in enumerate(zip(stores, known, strict=True)):
                fresh = _fresh(part, answers, number)
                store.write(fresh)
                before.update(fresh)
            done += len(part)
            report(done, total)
    names = [(extractor.name, extractor.version) for extractor in using]
    return {
        name: {who: found[key] for who, found in zip(names, known, strict=True)}
        for name, key in keys.items()
        if all(key in found for found in known)
    }


def _missing(texts: Mapping[str, Text], known: Sequence[Mapping[str, object]]) -> list[Request]:
    requests = (
        Request(key, text, tuple(i for i, found in enumerate(known) if key not in found))
        for key, text in sorted(texts.items(), key=lambda item: item[0])
    )
    return [request for request in requests if request.asked]


def _answers(
    requests: Sequence[Request], using: Sequence[Extractor], jobs: int
) -> Generator[tuple[int, Sequence[Found | None]], None, None]:
    size = max(_LEAST, min(_MOST, ceil(len(requests) / (_PARTS * jobs))))
    return map_parts(partial(answer, tuple(using)), parts_of(requests, size), jobs=jobs)


def _fresh(
    part: Sequence[Request], answers: Sequence[Found | None], number: int
) -> dict[str, Extraction]:
    """Return what one extractor said, by the key of the text."""
    return {
        request.key: answer[number]
        for request, answer in zip(part, answers, strict=True)
        if answer is not None and number in answer
    }


def answer(using: Sequence[Extractor], requests: Sequence[Request]) -> list[Found]:
    """Return what the extractors say that are asked about each text, checked.

    They go through the texts side by side, so that what they share of a text (its
    sentences, its names) is at hand.

    Raises:
        ExtractionError: If an extractor fails or breaks its contract.
    """
    streams = [
        _checked(extractor, [request.text for request in requests if number in request.asked])
        for number, extractor in enumerate(using)
    ]
    answers = [{i: next(streams[i]) for i in request.asked} for request in requests]
    for stream in streams:
        next(stream, None)  # an answer too many is an error too
    return list(answers)


def _checked(extractor: Extractor, texts: Sequence[Text]) -> Iterator[Extraction]:
    try:
        for text, extraction in zip(texts, extractor.extract(texts), strict=True):
            yield check(text, extraction)
    except (ExtractorError, ValueError) as error:
        raise ExtractionError(f"the extractor {extractor.name!r} failed: {error}") from error
