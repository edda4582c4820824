"""Extractors: text in, mentions out. They know no papers and no graph.

Each is usable alone:

    >>> from extractors import Text, find_abbreviations
    >>> [(a.short, a.long) for a in find_abbreviations("We use a support vector machine (SVM).")]
    [('SVM', 'support vector machine')]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from extractors.mention import (
    Abbreviation,
    ContractError,
    EndpointError,
    Extraction,
    Extractor,
    ExtractorError,
    Mention,
    ModelError,
    Result,
    Role,
    Text,
)

if TYPE_CHECKING:
    from extractors.abbreviations import AbbreviationExtractor, find_abbreviations
    from extractors.entities import EntityExtractor
    from extractors.keywords import KeywordExtractor
    from extractors.results import ResultExtractor, find_results
    from extractors.roles import assign_roles

__all__ = [
    "Abbreviation",
    "AbbreviationExtractor",
    "ContractError",
    "EndpointError",
    "EntityExtractor",
    "Extraction",
    "Extractor",
    "ExtractorError",
    "KeywordExtractor",
    "Mention",
    "ModelError",
    "Result",
    "ResultExtractor",
    "Role",
    "Text",
    "assign_roles",
    "find_abbreviations",
    "find_results",
]

_LAZY = {
    "AbbreviationExtractor": "abbreviations",
    "EntityExtractor": "entities",
    "KeywordExtractor": "keywords",
    "ResultExtractor": "results",
    "assign_roles": "roles",
    "find_abbreviations": "abbreviations",
    "find_results": "results",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(f"extractors.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'extractors' has no attribute {name!r}")
