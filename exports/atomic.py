"""Files that are there completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes the name ``path`` once the block has ended well.

    A device or pipe is written to directly.

    Args:
        path: The file to write; its folder is made where it is missing.

    Example:
        >>> with writing(Path("graph.nt")) as out:  # doctest: +SKIP
        ...     out.write(b"...")
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as out:
            yield out
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
    try:
        with part.open("wb") as out:
            yield out
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
