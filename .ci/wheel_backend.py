"""Builds wheels in which everything lies under the one name kardan; the rest is setuptools.

In the repository `engine`, `gui` and the others are packages of their own. At the top of site-packages
such names would collide with those of other programs. So a wheel is built from a copy of the sources in
which they are subpackages of `kardan` and import each other by their new names:

    from engine.errors import EngineError      ->    from kardan.engine.errors import EngineError
    import assets                              ->    import kardan.assets as assets

The places are found in the syntax tree. What cannot be renamed that way, such as the name of a module in
a string, stops the build with a sentence. An editable install is the repository as it is.
"""

import ast
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (  # the hooks that are used as they are
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
]

ROOT = Path(__file__).parent.parent
HOME = "kardan"
MOVED = ("assets", "engine", "gui", "rotations")
BESIDE = ("pyproject.toml", "README.md", "LICENSE")
_MODULE = re.compile(
    rf"({'|'.join(MOVED)})\.\w*(\.\w+)*"
)  # all of a string, or how an f-string begins


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build the wheel from a copy in which all packages lie under one; returns its name."""
    wheel_directory = os.path.abspath(wheel_directory)
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        gather(ROOT, Path(folder))
        os.chdir(folder)
        try:
            return build_meta.build_wheel(wheel_directory, config_settings, None)
        finally:
            os.chdir(before)


def gather(root: Path, folder: Path) -> None:
    """Write the sources of a wheel into an empty folder: kardan/ with the other packages inside."""
    for name in BESIDE:
        shutil.copy2(root / name, folder / name)
    shutil.copytree(root / HOME, folder / HOME, ignore=_no_caches)
    for name in MOVED:
        shutil.copytree(root / name, folder / HOME / name, ignore=_no_caches)
    for path in sorted((folder / HOME).rglob("*.py")):
        path.write_bytes(renamed(path.read_bytes(), path.relative_to(folder).as_posix()))


def renamed(source: bytes, name: str) -> bytes:
    """A source file with the moved packages imported from where they lie in the wheel."""
    tree = ast.parse(source, name)
    lines = source.splitlines(keepends=True)
    for line, column, old, new in sorted(_edits(tree, name), reverse=True):
        text = lines[line - 1]
        if not text.startswith(old.encode(), column):
            raise SystemExit(f"{name}:{line}: '{old}' is not where it was looked for.")
        lines[line - 1] = text[:column] + new.encode() + text[column + len(old.encode()) :]
    return b"".join(lines)


def _edits(tree: ast.Module, name: str) -> Iterator[tuple[int, int, str, str]]:
    """What is to be replaced: line, column, old text, new text."""
    quiet = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and _is_moved(node.module or ""):
            yield node.lineno, node.col_offset, *_prefixed(f"from {node.module}")
        elif isinstance(node, ast.Import):
            for alias in filter(lambda alias: _is_moved(alias.name), node.names):
                if "." in alias.name and alias.asname is None:
                    raise SystemExit(
                        f"{name}:{node.lineno}: write 'from ... import ...' in the place of "
                        f"'import {alias.name}': in a wheel the package has another name."
                    )
                bound = "" if alias.asname else f" as {alias.name}"
                new = f"{HOME}.{alias.name}{bound}"
                yield alias.lineno, alias.col_offset, alias.name, new
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in quiet and _MODULE.fullmatch(node.value):
                raise SystemExit(
                    f"{name}:{node.lineno}: '{node.value}' names a module in a string, which has another "
                    "name in a wheel. Use __package__ or the __name__ of a module."
                )


def _is_moved(module: str) -> bool:
    """Whether a module belongs to a package that lies elsewhere in a wheel."""
    return module.partition(".")[0] in MOVED


def _prefixed(text: str) -> tuple[str, str]:
    """`from engine.x` as it is, and as it is in a wheel."""
    return text, text.replace("from ", f"from {HOME}.", 1)


def _no_caches(folder: str, names: list[str]) -> list[str]:
    """What is not copied."""
    return [name for name in names if name == "__pycache__"]
