"""Model files: JSON, one element per line, defaults left out; docs/file-format.md describes them.

Files are untrusted: whatever the bytes, the answer is a model or an EngineError. Conversely, `dumps` checks
what it writes by the same rules, so that `loads` can read it.
"""

import json
import os
import re
import stat
from collections import Counter
from pathlib import Path
from types import MappingProxyType
from typing import Any

from engine.errors import EngineError, say
from engine.files.atomic import replace_file
from engine.files.encoding import fields_from, raw_fields, read, said, to_json
from engine.files.upgrades import UPGRADES
from engine.files.view_block import raw_view, view_from
from engine.model.catalogue import element_class, suggestion
from engine.model.elements import GROUND, Backdrop, Element, Id, Model, Settings, planar, spatial

VERSION = 5
MAX_SIZE = 64 * 2**20  # bytes
MAX_PICTURE = 3 * 2**20  # characters of base64 of the background
MAX_LISTS = 4_000_000  # lists and objects; a mesh that fills MAX_SIZE has about half as many
ID = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_TOP = (
    *("kardan", "dim", "name", "description", "gravity", "settings", "background", "view"),
    "elements",
)
_TEXT = {"role": "text"}


def dumps(model: Model) -> str:
    """The text of a model file; equal models give equal texts."""
    check_dim(model.dim)
    head: dict[str, Any] = {"kardan": VERSION, "dim": model.dim}
    for name in ("name", "description"):
        if words := read(getattr(model, name), _TEXT, say("The {name} of the model", name=name)):
            head[name] = words
    head["gravity"] = list(_gravity(list(model.gravity), model.dim))
    if settings := raw_fields(model.settings, "The settings"):
        head["settings"] = settings
    if model.background is not None:
        _check_background(model.background, model.dim)
        head["background"] = raw_fields(model.background, "The background")
    if view := raw_view(view_from(raw_view(model.view), model.elements, model.dim)):
        head["view"] = view
    lines = [f"  {to_json(key)}: {to_json(value)}," for key, value in head.items()]
    written = (_written(id, e, model.dim) for id, e in model.elements.items())
    elements = ",\n".join(f"    {to_json(element)}" for element in written)
    lines.append(f'  "elements": [\n{elements}\n  ]' if elements else '  "elements": []')
    text = "{\n" + "\n".join(lines) + "\n}\n"
    if len(text) > MAX_SIZE or len(text.encode()) > MAX_SIZE:
        raise EngineError(
            "The model needs more than {limit} MB; simplify its meshes.", limit=MAX_SIZE >> 20
        )
    return text


def loads(text: str) -> Model:
    """The model in the text of a file."""
    raw = _upgraded(_parsed(text))
    for key in raw:
        if key not in _TOP:
            raise EngineError(
                "The model has no {key}{suggestion}",
                key=said(key),
                suggestion=suggestion(key, _TOP),
            )
    dim = raw.get("dim")
    check_dim(dim)
    empty = planar() if dim == 2 else spatial()
    settings = _object(raw.get("settings", {}), "The settings")
    gravity = raw.get("gravity", list(empty.gravity))
    elements = _elements(raw.get("elements", []), empty.dim)
    return Model(
        dim=empty.dim,
        name=read(raw.get("name", ""), _TEXT, say("The name of the model")),
        description=read(raw.get("description", ""), _TEXT, say("The description of the model")),
        gravity=_gravity(gravity, empty.dim),
        settings=Settings(**fields_from(Settings, settings, "The settings")),
        background=_background(raw.get("background"), empty.dim),
        view=view_from(raw.get("view", {}), elements, empty.dim),
        elements=MappingProxyType(elements),
    )


def save(model: Model, path: str | Path) -> None:
    """Write the model to a file; on any failure the old file stays as it was."""
    content = dumps(model).encode()
    replace_file(path, lambda file: file.write(content), "save")


def load(path: str | Path) -> Model:
    """The model in a file."""
    name = str(path)
    try:
        return loads(_content(Path(path)).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        sentence = say(
            "Byte {start} is not text in UTF-8: this is no model file.", start=error.start + 1
        )
        raise EngineError(
            "Cannot open '{name}'. {sentence}", name=name, sentence=sentence
        ) from None
    except EngineError as error:
        raise EngineError(
            "Cannot open '{name}'. {reason}", *error.ids, name=name, reason=error.sentence
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or say("The name is not valid")
        raise EngineError("Cannot open '{name}'. {reason}.", name=name, reason=reason) from None


def _content(path: Path) -> bytes:
    """The bytes of a file that is not too large."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise EngineError("It is a folder. Give a model file in it.")
    if not stat.S_ISREG(mode):
        raise EngineError("It is not a file. Give a model file.")
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_SIZE:
            raise EngineError(
                "It is larger than {limit} MB, more than a model may have.",
                limit=MAX_SIZE >> 20,
            )
        return file.read(MAX_SIZE)


def _parsed(text: str) -> Any:
    """The raw data in JSON text."""
    if len(text) > MAX_SIZE or text.count("[") + text.count("{") > MAX_LISTS:
        raise EngineError("It holds more data than a model may have.")
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        if not text.strip():
            sentence = say("It is empty: there is no model in it. Take another copy of it.")
        elif error.pos >= len(text.rstrip()):
            sentence = say(
                "It ends too early, in line {line}: the file is cut off. Take another copy of it.",
                line=error.lineno,
            )
        else:
            sentence = say(
                "Line {line}, column {column} is not valid JSON ({fault}): the file is damaged. "
                "Correct it there, or take another copy.",
                line=error.lineno,
                column=error.colno,
                fault=error.msg.removesuffix(" at"),
            )
        raise EngineError(sentence) from None
    except RecursionError:
        raise EngineError("Its lists are nested too deeply to be those of a model.") from None
    except ValueError:  # Python refuses to read whole numbers of thousands of digits
        raise EngineError("It has a number with too many digits.") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object in which no key comes twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        owner = (
            say("Element {id}", id=said(found["id"]))
            if isinstance(found.get("id"), str)
            else "An object"
        )
        raise EngineError(
            "{owner} has {twice} twice; delete one of them.", owner=owner, twice=said(twice)
        )
    return found


def _no_constant(name: str) -> Any:
    """Refuse NaN and Infinity, which JSON does not have but Python reads."""
    raise EngineError("{name} is not a number a model can have; replace it.", name=name)


def _upgraded(raw: Any) -> dict[str, Any]:
    """The raw data in the form of the present version."""
    if not isinstance(raw, dict) or "kardan" not in raw:
        raise EngineError(
            'It is not a Kardan model: it has no "kardan" with the format version. Give a file that '
            "Kardan saved."
        )
    while (version := raw["kardan"]) != VERSION or type(version) is not int:
        if type(version) is not int:
            raise EngineError(
                "The format version must be a whole number, not {version}.", version=said(version)
            )
        if version > VERSION:
            raise EngineError(
                "This file needs a newer Kardan: it has format version {version}, this "
                "program reads up to {known}.",
                version=said(version),
                known=VERSION,
            )
        if version not in UPGRADES:
            raise EngineError(
                "There has never been a format version {version}.", version=said(version)
            )
        try:
            raw = {**UPGRADES[version](raw), "kardan": version + 1}
        except (LookupError, TypeError, ValueError, AttributeError):
            raise EngineError(
                "Its content does not fit its format version {version}.", version=version
            ) from None
    return raw


def _elements(raw: Any, dim: int) -> dict[Id, Element]:
    """The elements by id."""
    if not isinstance(raw, list):
        raise EngineError('"elements" must be a list, not {raw}.', raw=said(raw))
    elements: dict[Id, Element] = {}
    for n, entry in enumerate(raw, 1):
        element = _element(_object(entry, say("Element {n} in the list", n=n)), dim, n)
        if element.id in elements:
            raise EngineError(
                "The id '{id}' is there twice; ids must differ, names need not.",
                element.id,
                id=element.id,
            )
        elements[element.id] = element
    return elements


def _element(raw: dict[str, Any], dim: int, n: int) -> Element:
    """The n-th element of the list."""
    id = raw.get("id")
    check_id(id, say("Element {n} in the list", n=n))
    place = say("Element '{id}'", id=id)
    try:
        cls = element_class(read(raw.get("kind", ""), _TEXT, "The kind"), dim)
    except EngineError as error:
        raise EngineError(
            "{place}: {reason}", str(id), place=place, reason=error.sentence
        ) from None
    try:
        values = {key: value for key, value in raw.items() if key not in ("kind", "id")}
        return cls(id=str(id), **fields_from(cls, values, place))
    except EngineError as error:
        raise EngineError(error.sentence, str(id)) from None


def check_id(id: Any, place: str) -> None:
    """Raise EngineError unless this can be an id."""
    if not isinstance(id, str) or not id:
        raise EngineError("{place} has no id.", place=place)
    if not ID.fullmatch(id) or id == GROUND:
        raise EngineError(
            "{place} has the id {id}; an id has letters, digits and _ only, starts with no "
            "digit and is not '{ground}'.",
            place=place,
            id=said(id),
            ground=GROUND,
        )


def check_dim(dim: Any) -> None:
    """Raise EngineError unless this is 2 or 3."""
    if type(dim) is not int or dim not in (2, 3):
        raise EngineError(
            '"dim" must be 2 (in the plane) or 3 (in space), not {dim}.', dim=said(dim)
        )


def _gravity(raw: Any, dim: int) -> Any:
    """Gravity as a tuple of `dim` numbers."""
    return read(raw, {"role": "vector", "size": dim}, say("The gravity of the model"))


def _background(raw: Any, dim: int) -> Backdrop | None:
    """The picture behind the drawing, if there is one; it is decoded only when it is shown."""
    if raw is None:
        return None
    values = fields_from(Backdrop, _object(raw, "The background"), "The background")
    background = Backdrop(**values)
    _check_background(background, dim)
    return background


def _check_background(background: Backdrop, dim: int) -> None:
    """Raise EngineError for a background that no model may have."""
    if dim != 2:
        raise EngineError("Only a model in the plane has a background; remove it.")
    numbers = (*background.position, background.pixel, background.opacity)
    if any(isinstance(number, str) for number in numbers):
        raise EngineError("The background is placed by numbers, not by expressions.")
    if not float(background.pixel) > 0.0 or not 0.0 <= float(background.opacity) <= 1.0:
        raise EngineError("The background needs pixels above zero and an opacity from 0 to 1.")
    if len(background.picture) > MAX_PICTURE:
        raise EngineError(
            "The background picture has more than {max_picture} MB of text; take a smaller one.",
            max_picture=MAX_PICTURE // 2**20,
        )


def _object(raw: Any, place: str) -> dict[str, Any]:
    """Raw data that must be a JSON object."""
    if not isinstance(raw, dict):
        raise EngineError(
            "{place} must be an object {{...}}, not {raw}.", place=place, raw=said(raw)
        )
    return raw


def _written(id: Id, element: Element, dim: int) -> dict[str, Any]:
    """An element as raw data."""
    place = say("Element '{id}'", id=element.id)
    try:
        check_id(element.id, place)
        if id != element.id or element_class(element.kind, dim) is not type(element):
            raise EngineError("{place} does not belong into this model.", place=place)
        return {"kind": element.kind, "id": element.id, **raw_fields(element, place)}
    except EngineError as error:
        raise EngineError(error.sentence, element.id) from None
