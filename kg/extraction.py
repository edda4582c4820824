"""Texts in, extractions out: what the cache holds is not asked again.

texts ──▶ what is missing ──▶ parts ──▶ engine ──▶ cache, part by part ──▶ accounts
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from math import ceil
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from extractors.mention import Extraction, Extractor, ExtractorError, Text, check
from kg.accounts import Account, Accounts, account_of, of_papers, table_of
from kg.cache import Cache, text_key
from kg.engine import map_parts, parts_of, processes
from kg.errors import ExtractionError

if TYPE_CHECKING:
    from kg.engine.spark import Spark

CRASHED = "its extraction ends the process: three workers died of it"

Extractions = Mapping[tuple[str, str], Extraction]
Found = tuple[Mapping[int, Extraction], Account]
"""What is new of a text, by the number of the extractor, and the account of all."""

_LEAST, _MOST = 25, 200  # texts of a part: few are lost when a run stops, files stay few
_PARTS = 8  # a process, so that all end at about the same time


@dataclass(frozen=True, slots=True)
class Request:
    """A text, and what is known of it by the number of the extractor; the others are asked."""

    text: Text
    known: Mapping[int, Extraction]


def extract_missing(
    texts: Mapping[str, Text],
    using: Sequence[Extractor],
    folder: Path,
    *,
    jobs: int | None,
    report: Callable[[int, int], None],
    engine: Spark | None = None,
) -> pa.Table:
    """Return the account of each text; a part that is done is cached at once.

    Args:
        texts: By id; the same words are extracted once.
        using: The extractors.
        folder: The cache's folder.
        jobs: Processes; None for as many as pay, at most one a core.
        report: Called with (texts done, texts in all).
        engine: Where they are extracted instead of in processes of this machine.

    Returns:
        One row an id as `kg.accounts.of_papers` has them, without the texts whose extraction
        ends the process.

    Raises:
        ExtractionError: If an extractor fails.
    """
    keys = {name: text_key(text) for name, text in texts.items()}
    kept = Accounts(folder, using)
    accounts = [kept.read()]
    seen = set(accounts[0]["text"].to_pylist())
    missing = sorted(
        {keys[name]: text for name, text in texts.items() if keys[name] not in seen}.items(),
        key=itemgetter(0),
    )
    stores = [Cache(folder, extractor) for extractor in using]
    known = [store.read(dict(missing).keys()) for store in stores]
    total = len(set(keys.values()))
    done = total - len(missing)
    report(done, total)
    with closing(_answers(missing, known, using, jobs, engine)) as parts:
        for start, answers in parts:
            part = [key for key, _ in missing[start : start + len(answers)]]
            said = {key: found for key, found in zip(part, answers, strict=True) if found}
            for number, store in enumerate(stores):
                store.write({k: new[number] for k, (new, _) in said.items() if number in new})
            accounts.append(table_of({key: account for key, (_, account) in said.items()}))
            kept.write(accounts[-1])
            done += len(part)
            report(done, total)
    return of_papers(pa.concat_tables(accounts), keys)


def _answers(
    missing: Sequence[tuple[str, Text]],
    known: Sequence[Mapping[str, Extraction]],
    using: Sequence[Extractor],
    jobs: int | None,
    engine: Spark | None,
) -> Generator[tuple[int, Sequence[Found | None]], None, None]:
    slots = engine.slots if engine else processes(jobs, len(missing))
    size = max(_LEAST, min(_MOST, ceil(len(missing) / (_PARTS * slots))))
    parts = ([_request(*item, known) for item in part] for part in parts_of(missing, size))
    work = partial(answer, tuple(using))
    return engine.map_parts(work, parts) if engine else map_parts(work, parts, jobs=slots)


def _request(key: str, text: Text, known: Sequence[Mapping[str, Extraction]]) -> Request:
    return Request(text, {n: found[key] for n, found in enumerate(known) if key in found})


def answer(using: Sequence[Extractor], requests: Sequence[Request]) -> list[Found]:
    """Return what the extractors say that are asked about each text, checked, and its account.

    They go through the texts side by side, so that what they share of a text (its
    sentences, its names) is at hand.

    Raises:
        ExtractionError: If an extractor fails or breaks its contract.
    """
    streams = [
        _checked(extractor, [request.text for request in requests if number not in request.known])
        for number, extractor in enumerate(using)
    ]
    answers = [_answer(request, streams, using) for request in requests]
    for stream in streams:
        next(stream, None)  # an answer too many is an error too
    return answers


def _answer(
    request: Request, streams: Sequence[Iterator[Extraction]], using: Sequence[Extractor]
) -> Found:
    fresh = {n: next(stream) for n, stream in enumerate(streams) if n not in request.known}
    said = {**request.known, **fresh}
    who = [(extractor.name, extractor.version) for extractor in using]
    return fresh, account_of(request.text, {who[n]: found for n, found in said.items()})


def _checked(extractor: Extractor, texts: Sequence[Text]) -> Iterator[Extraction]:
    try:
        for text, extraction in zip(texts, extractor.extract(texts), strict=True):
            yield check(text, extraction)
    except (ExtractorError, ValueError) as error:
        raise ExtractionError(f"the extractor {extractor.name!r} failed: {error}") from error
