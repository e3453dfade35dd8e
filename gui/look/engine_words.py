"""Sentences of the engine in the language of the user.

The engine speaks English and knows nothing of translation: a sentence there is an f-string, and what
arrives here has its numbers and names in it already. Its sources tell which templates there are, such as
"There is no '{0}' in the model any more."; a sentence is matched with them, the template is translated
in the context "Engine", and names and numbers, translated where they are sentences themselves, are put
back. What matches nothing stays English.

A translation that has the sentences of the engine says so by translating the word in MARK. Without one
nothing is looked for. `python -m gui.look.engine_words` prints all templates for pyside6-lupdate.
"""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

import engine
from gui.look.translation import QT_TRANSLATE_NOOP

MARK = QT_TRANSLATE_NOOP("Engine", "English")
LEAST_WORDS = 2  # of a template: less is a name or a unit
NOT_SHOWN = ("cli.py", "study_commands.py", "pictures.py")  # they speak to a terminal, or draw
DEEPEST = 3  # sentences within sentences


class Template(NamedTuple):
    """A sentence, or the end of one, with {0}, {1} ... for what differs."""

    text: str
    pattern: re.Pattern[str]
    weight: int  # letters that are its own: the more, the surer a match
    is_fragment: bool  # it follows what is said of the place


def said(sentence: str) -> str:
    """A sentence of the engine in the language of the user."""
    return _said(sentence, DEEPEST) if tr(MARK) != MARK else sentence


def tr(text: str) -> str:
    """A template in the language of the user."""
    return QCoreApplication.translate("Engine", text)


def _said(sentence: str, depth: int) -> str:
    """The sentence by the surest template that is translated, if there is one."""
    for template in catalogue() if depth and " " in sentence else ():
        match = template.pattern.fullmatch(sentence)
        translated = tr(template.text) if match is not None else template.text
        if match is None or translated == template.text:
            continue
        head, *values = match.groups() if template.is_fragment else ("", *match.groups())
        values = [_said(value or "", depth - 1) for value in values]
        try:
            return _said(head or "", depth - 1) + translated.format(*values)
        except (IndexError, KeyError, ValueError):  # a translation with a place too many
            return sentence
    return sentence


@functools.cache
def catalogue() -> tuple[Template, ...]:
    """All templates of the engine, those with most letters of their own first."""
    folder = Path(engine.__file__).parent
    paths = [path for path in sorted(folder.rglob("*.py")) if path.name not in NOT_SHOWN]
    texts = {text for path in paths for text in _texts(path)}
    found = [_template(text) for text in sorted(texts)]
    return tuple(sorted(found, key=lambda one: (-one.weight, one.text)))


def _texts(path: Path) -> Iterator[str]:
    """The templates in one source file."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return  # a program packed without its sources speaks English
    quiet = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inner = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(tree):
        if id(node) in quiet or id(node) in inner:
            continue  # what explains the code, and pieces of an f-string
        text = _text(node)
        words = re.findall(r"[A-Za-z]{2,}", re.sub(r"\{\d+\}", " ", text))
        if len(words) >= LEAST_WORDS and " " in text:
            yield text


def _text(node: ast.AST) -> str:
    """The template of a string in the source; empty for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.replace("{", "{{").replace("}", "}}")
    if not isinstance(node, ast.JoinedStr):
        return ""
    parts, n = [], 0
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value).replace("{", "{{").replace("}", "}}"))
        else:
            parts.append(f"{{{n}}}")
            n += 1
    return "".join(parts)


def _template(text: str) -> Template:
    pieces = re.split(r"\{\d+\}", text)
    own = [piece.replace("{{", "{").replace("}}", "}") for piece in pieces]
    is_fragment = text[:1].islower()
    pattern = "(.*?)".join(re.escape(piece) for piece in own)
    if is_fragment:
        pattern = f"(.* )?{pattern}"
    weight = sum(len(piece) for piece in own)
    return Template(text, re.compile(pattern, re.DOTALL), weight, is_fragment)


def main() -> None:
    """Print every template as pyside6-lupdate reads them."""
    print(f'QT_TRANSLATE_NOOP("Engine", {MARK!r})')
    for template in catalogue():
        print(f'QT_TRANSLATE_NOOP("Engine", {template.text!r})')


if __name__ == "__main__":
    main()
