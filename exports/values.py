"""Values of any graph as JSON has them: what a writer can rely on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from math import isfinite
from typing import Any


def plain(value: Any) -> Any:
    """Return a value as JSON has it, the same in every process.

    Numbers and arrays of numpy become those of Python, sets sorted lists; no number is infinite;
    keys are strings, and so is what JSON does not know.

    Example:
        >>> plain({1: {"b", "a"}, "x": float("nan")})
        {'1': ['a', 'b'], 'x': None}
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        return value if isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted(map(plain, value), key=json.dumps)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return str(value)
