"""Which extractor finds a paper's entities: the product's own, or another behind the protocol.

`EXTRACTORS` is the only list of them; abbreviations and keywords are found beside each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from importlib import import_module
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from extractors.mention import Extractor
from kg.errors import OptionError, suggest

if TYPE_CHECKING:
    from extractors.embedder import Embedder

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to find entities.

    Args:
        path: The extractor's class, as ``module:Class``.
        about: One line for the help.
        needs: The options without which it cannot work; they are its constructor's arguments.
    """

    path: str
    about: str
    needs: tuple[str, ...] = ()


EXTRACTORS: Mapping[str, Engine] = {
    DEFAULT: Engine("extractors.entities:EntityExtractor", "rules and the shipped encoder"),
    "fast": Engine("extractors.fast:FastEntityExtractor", "a small model, for large corpora"),
    "gliner": Engine(
        "extractors.gliner:GLiNERExtractor", "a GLiNER model of your own", needs=("model",)
    ),
    "llm": Engine(
        "extractors.llm:LLMExtractor",
        "a language model at an OpenAI-compatible endpoint",
        needs=("endpoint", "model"),
    ),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """An extractor by its name, with what it needs; what a graph folder remembers.

    Args:
        extractor: A name in `EXTRACTORS`, or one's own class as ``module:Class``.
        endpoint: Address of a server.
        model: A model's name or folder.
        embedder: A sentence-transformers model that ranks keywords, by name or folder.

    Example:
        >>> Choice("llm", endpoint="http://localhost:11434/v1", model="qwen3").options["model"]
        'qwen3'
    """

    extractor: str = DEFAULT
    endpoint: str = ""
    model: str = ""
    embedder: str = ""

    @property
    def options(self) -> dict[str, str]:
        """What is set, by name; a key is never part of it."""
        return {name: value for name, value in asdict(self).items() if value}


def extractors_named(
    extractor: str = DEFAULT, *, endpoint: str = "", model: str = "", embedder: str = ""
) -> list[Extractor]:
    """Return fresh extractors: of abbreviations, of entities as chosen, of keywords.

    Args:
        extractor: A name in `EXTRACTORS`, or ``module:Class`` for one's own, which is called
            with those of the two options that are given.
        endpoint: Address of a server, for ``llm``.
        model: A model's name or folder, for ``llm`` and ``gliner``.
        embedder: A sentence-transformers model that ranks keywords; the shipped vectors if empty.

    Raises:
        OptionError: If there is no such extractor, or an option is missing or not its own.
        ExtractorError: If what it needs is not installed or cannot be used.

    Example:
        >>> "entities" in [extractor.name for extractor in extractors_named()]
        True
    """
    from extractors import AbbreviationExtractor, KeywordExtractor

    given = {name: value for name, value in {"endpoint": endpoint, "model": model}.items() if value}
    entities = _own(extractor, given) if ":" in extractor else _shipped(extractor, given)
    keywords = KeywordExtractor(embedder=_embedder(embedder) if embedder else None)
    return [AbbreviationExtractor(), entities, keywords]


def remembered(options: Mapping[str, Any]) -> Choice:
    """Return the choice that a graph folder remembers.

    A folder may come from somebody else. So a connection to another machine is opened only
    for who asks for it by name.

    Raises:
        OptionError: If the choice leads to another machine.
    """
    names = [field.name for field in fields(Choice)]
    choice = Choice(**{name: str(options[name]) for name in names if options.get(name)})
    models = [choice.embedder, choice.model if choice.extractor == "gliner" else ""]
    on_the_hub = any(model and not Path(model).is_dir() for model in models)
    if on_the_hub or (choice.endpoint and not _is_this_machine(choice.endpoint)):
        asked = " ".join(f"--{name} {value}" for name, value in choice.options.items())
        raise OptionError(f"this graph was made over a connection; to open one again, add: {asked}")
    return choice


def _shipped(name: str, given: Mapping[str, str]) -> Extractor:
    engine = EXTRACTORS.get(name)
    if engine is None:
        near = suggest(name, EXTRACTORS)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        choices = ", ".join(EXTRACTORS)
        raise OptionError(f"no extractor {name!r}{hint} Choose {choices}, or module:Class")
    for option in engine.needs:
        if option not in given:
            raise OptionError(f"--extractor {name} needs --{option}")
    for option in given:
        if option not in engine.needs:
            takers = (other for other, engine in EXTRACTORS.items() if option in engine.needs)
            raise OptionError(f"--{option} goes with --extractor {' or '.join(takers)}")
    return _made(engine.path, given)


def _own(path: str, given: Mapping[str, str]) -> Extractor:
    try:
        found = _made(path, given)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise OptionError(f"--extractor {path} cannot be used: {error}") from error
    if not isinstance(found, Extractor):
        raise OptionError(f"--extractor {path} has no name, version and extract")
    return found


def _embedder(model: str) -> Embedder:
    from extractors.embedder import SentenceEmbedder

    return SentenceEmbedder(model)


def _made(path: str, given: Mapping[str, str]) -> Extractor:
    module, _, name = path.partition(":")
    made: Extractor = getattr(import_module(module), name)(**given)
    return made


def _is_this_machine(endpoint: str) -> bool:
    try:
        host = urlsplit(endpoint).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
