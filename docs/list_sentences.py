"""Print every template of the engine's sentences as pyside6-lupdate reads them.

Run it from the checkout with:  .venv/bin/python -m docs.list_sentences
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import engine

SPEAKERS = ("say", "EngineError", "TooManyTrianglesError")


def calls() -> Iterator[tuple[Path, ast.Call]]:
    """Every call in the engine that says something, with its file."""
    for path in sorted(Path(engine.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in SPEAKERS:
                yield path, node


def templates() -> list[str]:
    """Every template that is written out in such a call, once."""
    given = (call.args[0] for _, call in calls() if call.args)
    texts = {node.value for node in given if isinstance(node, ast.Constant)}
    return sorted(text for text in texts if isinstance(text, str))


def main() -> None:
    """Print them."""
    for text in templates():
        print(f'QT_TRANSLATE_NOOP("Engine", {text!r})')


if __name__ == "__main__":
    main()
