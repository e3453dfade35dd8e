"""Reads XML that nobody trusts into plain nodes: no entities, no document types, limits for everything."""

import xml.parsers.expat
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path

from engine.errors import EngineError

MAX_SIZE = 16 * 2**20  # bytes of a description; its meshes are files of their own
MAX_NODES = 100_000
MAX_DEPTH = 64
MAX_TEXT = 4096  # characters of an attribute


@dataclass(slots=True)
class Node:
    """An element of an XML file."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list["Node"] = field(default_factory=list)

    def all(self, tag: str) -> Iterator["Node"]:
        """The children of this name."""
        return (child for child in self.children if child.tag == tag)

    def one(self, tag: str) -> "Node | None":
        """The first child of this name."""
        return next(self.all(tag), None)

    def text(self, name: str) -> str:
        """An attribute that must be there."""
        if name not in self.attributes:
            raise EngineError(
                "Line {line}: <{tag}> has no {name}. Give it one.",
                line=self.line,
                tag=self.tag,
                name=name,
            )
        return self.attributes[name]

    def numbers(self, name: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """An attribute of as many numbers as its default has."""
        if name not in self.attributes:
            return default
        words = self.attributes[name].split()
        try:
            found = tuple(float(word) for word in words)
        except ValueError:
            found = ()
        if len(found) != len(default) or not all(map(isfinite, found)):
            raise EngineError(
                "Line {line}: {name} of <{tag}> is '{given}', and should be a number."
                if len(default) == 1
                else "Line {line}: {name} of <{tag}> is '{given}', and should be {n} numbers.",
                line=self.line,
                name=name,
                tag=self.tag,
                given=self.attributes[name][:60],
                n=len(default),
            )
        return found

    def number(self, name: str, default: float | None = None) -> float:
        """An attribute that is one number; without a default it must be there."""
        if default is None:
            self.text(name)
        return self.numbers(name, (default or 0.0,))[0]


def read_xml(path: Path) -> Node:
    """The root of an XML file, or an EngineError that says what is wrong where."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_SIZE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise EngineError("It cannot be read: {reason}.", reason=reason) from None
    if len(content) > MAX_SIZE:
        raise EngineError(
            "It is larger than {limit} MB, more than a description may have.", limit=MAX_SIZE >> 20
        )
    return parsed(content)


def parsed(content: bytes) -> Node:
    """The root of XML in bytes."""
    builder = _Builder()
    try:
        builder.parser.Parse(content, True)
    except LookupError:
        raise EngineError("Its first line names an unknown encoding. Save it as UTF-8.") from None
    except xml.parsers.expat.ExpatError as error:
        raise EngineError(
            "Line {line}, column {column} is not valid XML: {fault}. Correct it there.",
            line=error.lineno,
            column=error.offset,
            fault=xml.parsers.expat.ErrorString(error.code),
        ) from None
    assert builder.root is not None
    return builder.root


class _Builder:
    """Builds nodes while expat reads, and stops at what is not allowed."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self._open: list[Node] = []
        self._count = 0
        parser = self.parser = xml.parsers.expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        parser.SetParamEntityParsing(xml.parsers.expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def _refuse(self, *_: object) -> None:
        raise EngineError(
            "Line {line} declares a document type or an entity, which a description needs not. "
            "Delete it.",
            line=self.parser.CurrentLineNumber,
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        line = self.parser.CurrentLineNumber
        too_long = any(len(text) > MAX_TEXT for text in attributes.values())
        if self._count > MAX_NODES or len(self._open) >= MAX_DEPTH or too_long:
            raise EngineError(
                "Line {line}: it holds more, longer or deeper parts than a description may have.",
                line=line,
            )
        node = Node(tag, attributes, line)
        if self._open:
            self._open[-1].children.append(node)
        else:
            self.root = node
        self._open.append(node)

    def _end(self, _tag: str) -> None:
        self._open.pop()
