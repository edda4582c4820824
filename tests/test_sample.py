"""The sample bibliography: what the demo, the README and other tests rely on."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from bibtexparser.entrypoint import parse_string

Entry = dict[str, str]

SPELLINGS = [
    ("GNNs", "graph neural networks"),
    ("FL", "Federated learning"),
    ("LLMs", "large language model"),
    ("CBM", "concept bottleneck models"),
    ("RAG", "Retrieval augmented generation"),
    ("DP-SGD", "Differentially private stochastic gradient descent"),
    ("PPO", "Proximal Policy Optimization"),
    ("DDPMs", "Denoising diffusion probabilistic models"),
    ("GCN", "graph convolutional network"),
    ("KAN", "Kolmogorov-Arnold network"),
    ("MLP", "multilayer perceptron"),
    ("FedAvg", "Federated averaging"),
    ("$k$NN", "$k$-nearest-neighbor"),
    ("FID", "Fr{\\'e}chet Inception Distance"),
]

NEAR_NAMES = [
    ("BERT", "SciBERT"),
    ("BERT", "RoBERTa"),
    ("CIFAR-10", "CIFAR-100"),
    ("GPT-4", "GPT-4o"),
    ("SQuAD", "SQuAD 2.0"),
    ("DDPMs", "DDIM"),
    ("SHAP", "Kernel SHAP"),
]


def read() -> dict[str, Entry]:
    text = (files("kg") / "data" / "sample.bib").read_text(encoding="utf-8")
    library = parse_string(text)
    assert not library.failed_blocks
    return {
        entry.key: {name: str(field.value) for name, field in entry.fields_dict.items()}
        for entry in library.entries
    }


@pytest.fixture(scope="module")
def sample() -> dict[str, Entry]:
    return read()


def venue(entry: Entry) -> str:
    return next((entry[f] for f in ("booktitle", "journal", "howpublished") if f in entry), "")


def naming(sample: dict[str, Entry], name: str) -> set[str]:
    """Return the keys of the entries whose abstract has the name, and not inside a longer one."""
    whole = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-]|\.\d)")
    return {
        key for key, entry in sample.items() if whole.search(" ".join(entry["abstract"].split()))
    }


def test_no_entry_is_lost_and_keys_are_unique(sample: dict[str, Entry]) -> None:
    text = (files("kg") / "data" / "sample.bib").read_text(encoding="utf-8")
    keys = re.findall(r"^@(?!string)\w+\{([^,\s]+),", text, flags=re.MULTILINE)
    assert len(keys) == len(set(keys)) >= 40
    assert set(sample) == set(keys)


def test_every_entry_has_what_a_paper_needs(sample: dict[str, Entry]) -> None:
    for key, entry in sample.items():
        assert all(entry.get(field) for field in ("title", "author", "year")), key
        assert venue(entry), key
        assert 60 <= len(entry["abstract"].split()) <= 200, key


def test_it_spans_years_and_venues(sample: dict[str, Entry]) -> None:
    assert len({int(entry["year"]) for entry in sample.values()}) >= 5
    assert len({venue(entry) for entry in sample.values()}) >= 5


def test_named_strings_stand_for_the_venues(sample: dict[str, Entry]) -> None:
    assert not {venue(entry) for entry in sample.values()} & {"bcml", "mlr"}


def test_optional_fields_occur(sample: dict[str, Entry]) -> None:
    for field in ("doi", "url", "keywords"):
        having = sum(field in entry for entry in sample.values())
        assert 5 <= having < len(sample), field
    assert sum(r"\url{" in entry["abstract"] for entry in sample.values()) >= 2


def test_identifiers_can_belong_to_nobody(sample: dict[str, Entry]) -> None:
    links = [entry["url"] for entry in sample.values() if "url" in entry]
    assert all(link.startswith("https://example.org/") for link in links)
    dois = [entry["doi"] for entry in sample.values() if "doi" in entry]
    assert all(doi.startswith("10.5555/") for doi in dois)
    assert len(dois) == len(set(dois))


@pytest.mark.parametrize(("one", "other"), SPELLINGS)
def test_one_concept_is_spelled_differently_in_different_papers(
    sample: dict[str, Entry], one: str, other: str
) -> None:
    assert naming(sample, one)
    assert naming(sample, other)
    assert naming(sample, one) != naming(sample, other)


@pytest.mark.parametrize(("one", "other"), NEAR_NAMES)
def test_near_names_of_different_things_occur(
    sample: dict[str, Entry], one: str, other: str
) -> None:
    assert naming(sample, one)
    assert naming(sample, other)


def test_markup_that_real_files_have(sample: dict[str, Entry]) -> None:
    abstracts = "\n".join(entry["abstract"] for entry in sample.values())
    for markup in (r"\textbf{", r"\emph{", r"\textsc{", r"$\beta$-VAE", r"\%", "$k$-means", "``"):
        assert markup in abstracts
    assert re.search(r"\d%", abstracts), "a per cent sign that is not escaped"


def test_papers_build_on_each_other(sample: dict[str, Entry]) -> None:
    for name in ("WeftKG", "GleanBoard", "Saltmarsh"):
        assert len(naming(sample, name)) >= 2, name
