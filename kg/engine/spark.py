"""An existing Spark as the engine: the same functions, on the machines of a cluster.

    parts ──▶ jobs of a few parts ──▶ mapInArrow on the executors ──▶ (start, answers)
    path  ──▶ its rows as JSON    ──▶ mapInArrow on the executors ──▶ papers

The only file that imports pyspark. An executor runs one Python process a core, each with
one thread, which loads a model once.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from importlib.metadata import version
from itertools import islice
from typing import TYPE_CHECKING, Any, Self, TypeVar
from uuid import uuid4

import pyarrow as pa

from kg.engine.pool import DEATHS, numbered
from kg.engine.worker import ONE_THREAD, Failure, Piece, answered, loaded
from kg.errors import ExtractionError, InputError, OptionError
from kg.model import Record, Skipped, Source
from kg.readers import READERS, Taken, records_in, take
from kg.readers.files import from_text

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

T = TypeVar("T")
R = TypeVar("R")

_INSTALL = "Spark is not installed; install it with: pip install 'paperkg[spark]'"
_SAME = "give them the environment of this machine (see Spark in the README)"
_ALONE = "try without --engine spark"

_PARTS_OF_A_JOB, _JOBS = 32, 256  # at most; a job costs the driver a tenth of a second
_DEATHS_OF_WORKERS = ("Python worker exited unexpectedly", "ExecutorLostFailure")
_ITEMS = pa.schema([("start", pa.int64()), ("items", pa.binary())])
_ANSWERS = pa.schema([("start", pa.int64()), ("answers", pa.binary())])
_TAKEN = pa.schema([("taken", pa.binary())])
_CONFIGURATION = {
    "spark.ui.showConsoleProgress": "false",
    **{f"spark.executorEnv.{name}": value for name, value in ONE_THREAD.items()},
}


class Spark:
    """A Spark that runs, as the engine of `kg.build`; a session that it opens ends with the block.

    Args:
        master: Its address, such as ``spark://host:7077``, ``yarn``, ``k8s://…`` or
            ``local[4]``; if none is given, the session that is active, or what Spark's own
            configuration says.

    Raises:
        OptionError: If pyspark is not installed, or a session of another master is active.
        ExtractionError: If it cannot be reached.

    Example:
        >>> with Spark("spark://host:7077") as engine:  # doctest: +SKIP
        ...     kg.build("papers.bib", "atlas", engine=engine)
    """

    def __init__(self, master: str | None = None) -> None:
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise OptionError(_INSTALL) from None
        active = SparkSession.getActiveSession()
        self._is_own = active is None
        self._session = active or _new_session(master)
        running = self._session.sparkContext.master
        if master and running != master:
            raise OptionError(f"a session of {running} is active; stop it, or say no master")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_own:
            self._session.stop()

    @property
    def slots(self) -> int:
        """How many parts are done at once; more as executors join."""
        return max(1, int(self._session.sparkContext.defaultParallelism))

    def map_parts(
        self, work: Callable[[Sequence[T]], Sequence[R]], parts: Iterable[Sequence[T]]
    ) -> Generator[tuple[int, Sequence[R | None]], None, None]:
        """Yield the answers to each part, as `kg.engine.map_parts` does.

        Spark does a part again where an executor is lost. Of what it gives up, the halves are
        tried, down to the item that ends the process.

        Args:
            work: As there; the workers must be able to import it.
            parts: As there; twice as many are sent as can be done at once.

        Yields:
            As there.

        Raises:
            ExtractionError: If the workers cannot run the work, or none of them lives.
        """
        jobs = _Jobs(self._session, _pickled(work))
        pieces = numbered(parts)
        running: dict[Future[Any], int] = {}
        with ThreadPoolExecutor(_JOBS) as pool:
            try:
                while True:
                    slots = self.slots
                    while sum(running.values()) < 2 * slots and (
                        job := list(islice(pieces, min(slots, _PARTS_OF_A_JOB)))
                    ):
                        running[pool.submit(jobs.run, job)] = len(job)
                    if not running:
                        return
                    for done in wait(running, return_when=FIRST_COMPLETED).done:
                        del running[done]
                        yield from done.result()
            finally:
                jobs.cancel()

    def read(self, path: str, columns: Mapping[str, str] | None = None) -> Iterator[Taken]:
        """Read the papers of a path that Spark reads; the workers clean them.

        Args:
            path: Parquet, or JSON Lines (packed or not): a file, a folder or a pattern, such as
                ``s3a://bucket/works/*/*.gz``.
            columns: The columns of Parquet by the field that they hold, where their names do
                not tell.

        Yields:
            Each paper, or why a row gives none, as `kg.readers.take` does.

        Raises:
            InputError: If Spark cannot read it.
            ExtractionError: If the workers cannot run the readers.
        """
        from pyspark import StorageLevel

        with _explained():
            rows = _rows(self._session, path, columns or {})
            taken = rows.mapInArrow(partial(_taken, version("paperkg")), "taken binary")
            taken.persist(StorageLevel.DISK_ONLY)
            taken.count()  # by all workers at once; the loop asks for one partition at a time
            for row in taken.toLocalIterator(prefetchPartitions=True):
                yield pickle.loads(row["taken"])  # noqa: S301  # our own workers'
            taken.unpersist()


class _DyingWorkersError(ExtractionError):
    """Spark has given a job up, since worker after worker died of it."""


@dataclass(slots=True)
class _Jobs:
    """The jobs of one run, and what became of their parts."""

    session: SparkSession
    work: bytes
    tag: str = field(default_factory=lambda: f"paperkg-{uuid4()}")
    finished: int = 0
    set_aside: int = 0

    def run(self, pieces: Sequence[Piece]) -> list[tuple[int, Sequence[Any]]]:
        """Return the answers to some parts; of those that workers die of, try the halves."""
        try:
            answers = self._ask(pieces)
        except _DyingWorkersError:
            if halves := _halves(pieces):
                return [answer for half in halves for answer in self.run(half)]
            return [self._without(pieces[0])]
        self.finished += len(pieces)
        return answers

    def cancel(self) -> None:
        """Stop those that run."""
        self.session.interruptTag(self.tag)

    def _ask(self, pieces: Sequence[Piece]) -> list[tuple[int, Sequence[Any]]]:
        self.session.addTag(self.tag)  # for the jobs of this thread
        rows = [{"start": piece.start, "items": pickle.dumps(piece.items)} for piece in pieces]
        partitions = [pa.RecordBatch.from_pylist([row], schema=_ITEMS) for row in rows]
        with _explained():
            frame = self.session.createDataFrame(pa.Table.from_batches(partitions))
            work = partial(_answered, version("paperkg"), self.work)
            found = frame.mapInArrow(work, "start long, answers binary").toArrow()
        return [(row["start"], _unpickled(row["answers"])) for row in found.to_pylist()]

    def _without(self, piece: Piece) -> tuple[int, Sequence[Any]]:
        self.set_aside += 1
        if self.set_aside >= DEATHS and not self.finished:
            raise ExtractionError(f"Spark's workers die of every text; {_ALONE}")
        return piece.start, [None]


def _halves(pieces: Sequence[Piece]) -> list[Sequence[Piece]]:
    """Return the halves of some parts, or of the only one; none of a single item."""
    middle = len(pieces) // 2
    if middle:
        return [pieces[:middle], pieces[middle:]]
    [piece] = pieces
    middle = len(piece.items) // 2
    if not middle:
        return []
    head, tail = piece.items[:middle], piece.items[middle:]
    return [[Piece(piece.start, head)], [Piece(piece.start + middle, tail)]]


def _pickled(work: object) -> bytes:
    try:
        return pickle.dumps(work)
    except Exception as error:  # pickle raises whatever the objects raise
        raise ExtractionError(
            f"the extractors cannot be sent to Spark's workers ({error}); {_ALONE}, "
            "or define them in a module that the workers have"
        ) from error


def _unpickled(answers: bytes) -> Sequence[Any]:
    found: Sequence[Any] | Failure = pickle.loads(answers)  # noqa: S301  # our own workers'
    if isinstance(found, Failure):
        raise found.error
    return found


def _answered(
    ours: str, work: bytes, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Answer the parts of a partition; runs on a worker."""
    _check_version(ours)
    for batch in batches:
        for row in batch.to_pylist():
            answers = answered(_function(work), pickle.loads(row["items"]))  # noqa: S301
            row = {"start": row["start"], "answers": answers}
            yield pa.RecordBatch.from_pylist([row], schema=_ANSWERS)


@lru_cache(maxsize=1)
def _function(work: bytes) -> Any:
    """Return the function of a run, one a process, so that it keeps what it has loaded."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # no types

    threadpool_limits(1)  # a session that was there before us may have set other variables
    return loaded(work)


def _taken(ours: str, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Read the rows of a partition; runs on a worker."""
    _check_version(ours)
    for batch in batches:
        found = [
            {"taken": pickle.dumps(take(record))}
            for row in batch.to_pylist()
            for record in _records(row["file"], row["line"] or "")
        ]
        yield pa.RecordBatch.from_pylist(found, schema=_TAKEN)


def _records(name: str, line: str) -> Iterator[Record | Skipped]:
    """Yield the records of a line, whose number Spark does not tell."""
    if not line.strip():
        return
    try:
        for record in records_in(from_text(line, name), READERS["jsonl"]):
            yield replace(record, source=replace(record.source, line=0))
    except InputError as error:
        yield Skipped(Source(name), str(error))


def _check_version(ours: str) -> None:
    theirs = version("paperkg")
    if theirs != ours:
        raise ImportError(f"they have paperkg {theirs}, this machine has {ours}")


def _rows(session: SparkSession, path: str, columns: Mapping[str, str]) -> DataFrame:
    """Return the rows of a path as JSON, and the file of each."""
    from pyspark.sql import functions as sql

    lines = session.read.text(path)
    if any(name.endswith(".parquet") for name in lines.inputFiles()):
        table = session.read.parquet(path)
        named = table.withColumnsRenamed({column: name for name, column in columns.items()})
        return named.select(
            sql.col("_metadata.file_name").alias("file"),
            sql.to_json(sql.struct(*map(_quoted, named.columns))).alias("line"),
        )
    return lines.select(
        sql.col("_metadata.file_name").alias("file"), sql.col("value").alias("line")
    )


def _quoted(column: str) -> str:
    return "`{}`".format(column.replace("`", "``"))


def _new_session(master: str | None) -> SparkSession:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # on the workers, at the same path
    builder = SparkSession.builder.appName("paperkg").config(map=dict(_CONFIGURATION))
    try:
        return (builder.master(master) if master else builder).getOrCreate()
    except Exception as error:  # whatever py4j and pyspark raise
        where = f" at {master}" if master else ""
        raise ExtractionError(
            f"there is no Spark{where} ({_reason(error)}); it needs Java 17 or newer on this "
            "machine, and a master of pyspark's version"
        ) from error


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what Spark raises into an error of one line."""
    from py4j.protocol import Py4JError
    from pyspark.errors import AnalysisException, PySparkException, PythonException

    try:
        yield
    except AnalysisException as error:
        raise InputError(f"Spark cannot read it: {_reason(error)}") from error
    except PythonException as error:
        said = str(error).partition("\n\tat ")[0].strip().rpartition("\n")[2]
        raise ExtractionError(f"Spark's workers cannot do it: {said}; {_SAME}") from error
    except (Py4JError, PySparkException) as error:
        dying = any(sign in str(error) for sign in _DEATHS_OF_WORKERS)
        raise (_DyingWorkersError if dying else ExtractionError)(
            f"Spark gives up: {_reason(error)}"
        ) from error


def _reason(error: Exception) -> str:
    """Return the line of Java's long story that says why."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [repr(error)]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    return causes[-1] if causes else lines[0]
