"""How the fields of an element become JSON data and back, role by role.

Raw data is what JSON knows: numbers, texts, true and false, null, lists and objects. Reading checks
everything; writing reads the values first, so both follow the same rules.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from math import isfinite
from typing import Any

from engine.errors import EngineError, say
from engine.model.catalogue import suggestion
from engine.model.fields import Polyline
from engine.model.limits import check_size, limits
from engine.model.shapes import SHAPES, Shape

JOINED_BY, LINES, CURVE = "joined_by", "lines", "curve"  # what joins the points of a table

_Metadata = Mapping[str, Any]


def fields_from(cls: type, raw: Mapping[str, Any], place: str) -> dict[str, Any]:
    """The values of those fields of a dataclass that are in the raw data."""
    known = {f.name: f for f in fields(cls) if "role" in f.metadata}
    values = {}
    for key, value in raw.items():
        if key not in known:
            hint = suggestion(key, tuple(known))
            raise EngineError(
                "{place}: there is no field {key}{hint}", place=place, key=said(key), hint=hint
            )
        is_unset = value is None and known[key].default is None
        where = f"{place}: '{key}'"
        values[key] = None if is_unset else read(value, known[key].metadata, where)
    return values


def raw_fields(item: Any, place: str) -> dict[str, Any]:
    """The fields that differ from their defaults, as raw data, in the order of declaration."""
    raw = {}
    for f in fields(item):
        value = getattr(item, f.name)
        if "role" not in f.metadata or (value is None and f.default is None):
            continue
        written = _raw(read(value, f.metadata, f"{place}: '{f.name}'"))
        if f.default is None or not _same(written, _default(f)):
            raw[f.name] = written
    return raw


def read(raw: Any, metadata: _Metadata, place: str) -> Any:
    """The value of one field from raw data, or from a value; sentences begin with the place."""
    try:
        return _READERS[metadata["role"]](raw, metadata)
    except EngineError as error:
        raise EngineError("{place} {reason}", place=place, reason=error.sentence) from None


def to_json(raw: Any) -> str:
    """Raw data as text on one line; floats with as many digits as identify them."""
    return json.dumps(raw, ensure_ascii=False, allow_nan=False)


def said(raw: Any) -> str:
    """Raw data in a few words for a sentence."""
    if isinstance(raw, str):
        shown = raw[:40].encode("ascii" if not raw.isprintable() else "utf-8", "replace").decode()
        return f"'{shown}...'" if len(raw) > 40 else f"'{shown}'"
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, int):
        return str(raw) if abs(raw) < 10**15 else "a huge number"
    if isinstance(raw, float):
        return repr(raw)
    words = {type(None): "null", list: "a list", tuple: "a list", dict: "an object"}
    return words.get(type(raw), "something else")


def _raw(value: Any) -> Any:
    """The value of a field as raw data; tuples need nothing, JSON writes them as lists."""
    if isinstance(value, Shape):
        return {"kind": value.kind, **raw_fields(value, say("The {kind}", kind=value.kind))}
    if isinstance(value, Polyline):
        return {"points": tuple(value), JOINED_BY: LINES}
    return value


def _same(a: Any, b: Any) -> bool:
    """Whether raw data is written identically; -0.0 and 0.0 are equal, but not identical."""
    return bool(a == b) and to_json(a) == to_json(b)


def _default(field: Any) -> Any:
    """The default of a field as raw data."""
    return _raw(read(field.default, field.metadata, field.name))


def _finite(raw: Any, metadata: _Metadata) -> float:
    """A float of a size that the program can compute with; no bool, no infinity."""
    unit = metadata.get("unit", "")
    most = limits(unit).most
    if type(raw) is float and -most <= raw <= most:
        return raw
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise EngineError("must be a number, not {raw}.", raw=said(raw))
    try:
        number = float(raw)
    except OverflowError:
        number = float("inf")
    if not isfinite(number):
        raise EngineError("must be a number below 1.8e308.")
    check_size(number, unit)
    return number


def _number(raw: Any, metadata: _Metadata) -> float | str:
    """A float or the text of an expression."""
    return _text(raw, metadata) if isinstance(raw, str) else _finite(raw, metadata)


def _vector(raw: Any, metadata: _Metadata) -> tuple[float | str, ...]:
    """A fixed count of numbers."""
    size = metadata["size"]
    if not isinstance(raw, list | tuple) or len(raw) != size:
        count = f" of {len(raw)}" if isinstance(raw, list | tuple) else ""
        raise EngineError(
            "must be a list of {size} numbers, not {raw}{count}.",
            size=size,
            raw=said(raw),
            count=count,
        )
    return tuple(_number(entry, metadata) for entry in raw)


def _function(raw: Any, metadata: _Metadata) -> Any:
    """A number, an expression, or a table of pairs: a list, or an object that says what joins them."""
    if isinstance(raw, Polyline):
        raw = _raw(raw)
    if isinstance(raw, dict):
        if raw.keys() != {"points", JOINED_BY} or raw[JOINED_BY] not in (LINES, CURVE):
            raise EngineError(
                'must be a number, or a table such as {"points": [[0.0, 1.0], [2.0, 3.0]], '
                '"joined_by": "lines"}; a table is joined by "lines" or by a "curve".'
            )
        points = _rows(raw["points"], {}, _finite, 2)
        return Polyline(points) if raw[JOINED_BY] == LINES else points
    is_table = isinstance(raw, list | tuple)
    return _rows(raw, {}, _finite, 2) if is_table else _number(raw, metadata)


def _points(raw: Any, metadata: _Metadata) -> tuple[tuple[Any, ...], ...]:
    """A list of points of any size."""
    return _rows(raw, metadata, _number, None)


def _faces(raw: Any, metadata: _Metadata) -> tuple[tuple[Any, ...], ...]:
    """A list of triples of whole numbers."""
    return _rows(raw, metadata, _index, 3)


def _matrix(raw: Any, metadata: _Metadata) -> tuple[tuple[Any, ...], ...]:
    """Rows of numbers, which may be of any size."""
    return _rows(raw, metadata, _any_finite, None)


def _any_finite(raw: Any, _: _Metadata) -> float:
    """A float; no bool, no infinity."""
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise EngineError("must be a number, not {raw}.", raw=said(raw))
    if not abs(raw) < float("inf"):
        raise EngineError("must be a number below 1.8e308.")
    return float(raw)


def _rows(
    raw: Any, metadata: _Metadata, entry: Callable[[Any, _Metadata], Any], size: int | None
) -> tuple[tuple[Any, ...], ...]:
    """A list of lists, each of the given size."""
    if not isinstance(raw, list | tuple):
        raise EngineError("must be a list of lists, not {raw}.", raw=said(raw))
    rows = []
    for n, row in enumerate(raw, 1):
        if not isinstance(row, list | tuple) or size not in (None, len(row)):
            raise EngineError(
                "must have a list of {size} numbers as its entry {n}.", size=size or 2, n=n
            )
        rows.append(tuple([entry(number, metadata) for number in row]))
    return tuple(rows)


def _index(raw: Any, _: _Metadata) -> int:
    """A non-negative whole number."""
    if type(raw) is not int or not 0 <= raw < 2**31:
        raise EngineError("must hold whole numbers from 0, not {raw}.", raw=said(raw))
    return raw


def _text(raw: Any, _: _Metadata) -> str:
    """Any text that can be written as UTF-8."""
    if not isinstance(raw, str):
        raise EngineError("must be a text, not {raw}.", raw=said(raw))
    try:
        raw.encode()
    except UnicodeEncodeError:
        raise EngineError("has half a character (a lone surrogate); delete it.") from None
    return raw


def _flag(raw: Any, _: _Metadata) -> bool:
    """True or false."""
    if not isinstance(raw, bool):
        raise EngineError("must be true or false, not {raw}.", raw=said(raw))
    return raw


def _shape(raw: Any, _: _Metadata) -> Shape:
    """A shape from an object with its kind."""
    if isinstance(raw, Shape):
        raw = {"kind": raw.kind, **{f.name: getattr(raw, f.name) for f in fields(raw)}}
    if not isinstance(raw, dict):
        raise EngineError('must be an object such as {{"kind": "rod"}}, not {raw}.', raw=said(raw))
    kind = raw.get("kind")
    for cls in SHAPES:
        if cls.kind == kind:
            values = {key: value for key, value in raw.items() if key != "kind"}
            return cls(**fields_from(cls, values, f"(a {kind})"))
    hint = suggestion(kind if isinstance(kind, str) else "", tuple(s.kind for s in SHAPES))
    raise EngineError("has the unknown kind {kind}{hint}", kind=said(kind), hint=hint)


_READERS: dict[str, Callable[[Any, _Metadata], Any]] = {
    "number": _number,
    "vector": _vector,
    "function": _function,
    "formula": _text,
    "ref": _text,
    "text": _text,
    "choice": _text,
    "flag": _flag,
    "points": _points,
    "faces": _faces,
    "matrix": _matrix,
    "shape": _shape,
}
