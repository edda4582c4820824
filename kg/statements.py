"""From findings to statements: a paper, a role, a concept, and the words that say so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from extractors.mention import ROLES
from kg.coding import Coded, coded, places_in, starts
from kg.concepts import definitions_in, implied_definitions, name_concepts
from kg.keys import Spellings, bare
from kg.model import Concept
from kg.names import Definition, Names
from kg.vocabulary import NOTHING, Vocabulary

_FIELDS = ("abstract", "title", "keywords")  # the best evidence is running text
_LEFT_OUT = ["score"]  # of findings, what mentions do without: the confidence has it


@dataclass(frozen=True, slots=True)
class Statements:
    """All that a corpus says: concepts, one edge a paper and concept, and every mention.

    Args:
        concepts: Sorted by id.
        edges: The best mention of each paper and concept, sorted by them; the column ``mentions``
            has how many there are; otherwise as those.
        mentions: The findings that have a concept, with its id in the column ``concept``, sorted
            by paper and place: as the table "mentions" of `kg.tables`, but for the sentences,
            of which there are the places.
        merges: Why each form stands for its concept, as `kg.concepts.Naming` has it.
        kinds: The kinds on which papers do not agree, likewise.
    """

    concepts: tuple[Concept, ...]
    edges: pa.Table
    mentions: pa.Table
    merges: pa.Table
    kinds: pa.Table


def state(
    findings: pa.Table,
    definitions: Iterable[Definition],
    *,
    thesaurus: Vocabulary = NOTHING,
    authority: Vocabulary = NOTHING,
) -> Statements:
    """Name the concepts of a corpus and say what each paper does with each.

    Args:
        findings: Of all papers, in any order; the columns of `kg.findings.Finding`, those of its
            mention among them, with the paper.
        definitions: The abbreviations that the papers define.
        thesaurus: What the user says of names.
        authority: The user's list of concepts.
    """
    findings = _sorted(findings)
    forms = _forms(findings)
    spellings = Spellings()
    names = Names(
        {*definitions, *definitions_in(forms)},
        implied_definitions(forms, spellings),
        thesaurus=thesaurus,
        authority=authority,
        spellings=spellings,
    )
    naming = name_concepts(forms, names)
    kept = np.flatnonzero(naming.of_forms >= 0)  # the thesaurus leaves some out
    concept = Coded(naming.of_forms[kept], [concept.id for concept in naming.concepts])
    mentions = findings.drop_columns(_LEFT_OUT).take(kept)
    mentions = mentions.append_column("concept", concept.column()).rename_columns({"text": "quote"})
    return Statements(
        concepts=naming.concepts,
        edges=_edges(mentions, concept),
        mentions=mentions,
        merges=naming.merges,
        kinds=naming.kinds,
    )


def _sorted(findings: pa.Table) -> pa.Table:
    """Return findings by paper and place; no two have the same."""
    paper, field = coded(findings["paper"]), coded(findings["field"])
    places = (findings[name].to_numpy() for name in ("end", "start"))
    order = np.lexsort((*places, field.codes, paper.codes))
    return findings if (np.diff(order) == 1).all() else findings.take(order)


def _forms(findings: pa.Table) -> pa.Table:
    """Return the names that mentions give their concepts: "MNIST dataset" is about MNIST."""
    text = coded(findings["text"])
    dataset = places_in(coded(findings["kind"]), ["dataset"]) == 0
    codes, values = text.codes.copy(), pa.array(text.values, pa.string())
    of_dataset, place = np.unique(codes[dataset], return_inverse=True)
    codes[dataset] = len(values) + place
    short = pa.array([bare(text.values[code]) for code in of_dataset], pa.string())
    names = pa.concat_arrays([values, short]).take(pa.array(codes))
    columns = {name: findings[name] for name in ("paper", "kind", "score", "field")}
    return pa.table(columns | {"text": names})


def _edges(mentions: pa.Table, concept: Coded) -> pa.Table:
    """Return the best mention of each paper and concept: the strongest role, then the surest."""
    paper = coded(mentions["paper"])
    weakness = (
        places_in(coded(mentions["role"]), ROLES),
        -mentions["confidence"].to_numpy(),
        places_in(coded(mentions["field"]), _FIELDS),
        mentions["start"].to_numpy(),
    )
    order = np.lexsort((*weakness[::-1], concept.codes, paper.codes))
    first = np.flatnonzero(starts(paper.codes[order], concept.codes[order]))
    counts = pa.array(np.diff(np.append(first, len(order))), pa.int32())
    return mentions.take(order[first]).append_column("mentions", counts)
