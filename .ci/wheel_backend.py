"""Builds wheels in which everything lies under the one name kardan, compiled; the rest is setuptools.

In the repository `engine`, `gui` and the others are packages of their own. At the top of site-packages
such names would collide with those of other programs. So a wheel is built from a copy of the sources in
which they are subpackages of `kardan` and import each other by their new names:

    from engine.errors import EngineError      ->    from kardan.engine.errors import EngineError
    import assets                              ->    import kardan.assets as assets

The places are found in the syntax tree. What cannot be renamed that way, such as the name of a module in
a string, stops the build with a sentence. An editable install is the repository as it is.

Then every kernel of the copy is compiled and its machine code packed too (see rotations/jit/folders.py):
an installed program compiles nothing. Such a wheel is for one platform and one version of Python.
`--config-settings machine-code=none` leaves the machine code out: that wheel is for all.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kernel_requirements import kernel_requirements
from setuptools import build_meta
from setuptools.build_meta import (  # the hooks that are used as they are
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
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
MACHINE_CODE = "machine-code"  # a setting: a program of PROGRAMS
PROGRAMS = {  # what is run in the copy to compile it; the sample is for tests
    "all": "from kardan.gui.running.exercise import compile_ahead; compile_ahead(with_methods=True)",
    "sample": "from kardan.rotations import quaternion as q; q.product([1, 0, 0, 0], [1, 0, 0, 0])",
    "none": "",
}
IN_WHEEL = ("rotations", "jit", "machine_code")
# setuptools then names platform and Python in the name of the wheel
SETUP = """
from setuptools import Distribution, setup
class OfPlatform(Distribution):
    def has_ext_modules(self):
        return True
setup(distclass=OfPlatform)
"""
_MODULE = re.compile(
    rf"({'|'.join(MOVED)})\.\w*(\.\w+)*"
)  # all of a string, or how an f-string begins


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build the wheel from a copy in which all packages lie under one; returns its name."""
    program = program_for(config_settings)
    wheel_directory = os.path.abspath(wheel_directory)
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        gather(ROOT, Path(folder))
        if program:
            compile_kernels(Path(folder), program)
        os.chdir(folder)
        try:
            return build_meta.build_wheel(wheel_directory, config_settings, None)
        finally:
            os.chdir(before)


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What must be installed to build a wheel: setuptools' own, and what compiles the kernels."""
    needed = list(build_meta.get_requires_for_build_wheel(config_settings))
    return [*needed, *kernel_requirements()] if program_for(config_settings) else needed


def program_for(config_settings: dict[str, Any] | None) -> str:
    """The program that compiles what the settings ask for; empty for nothing."""
    asked = (config_settings or {}).get(MACHINE_CODE, "all")
    if asked not in PROGRAMS:
        raise SystemExit(f"{MACHINE_CODE}={asked}: give one of {', '.join(PROGRAMS)}.")
    return PROGRAMS[asked]


def compile_kernels(folder: Path, program: str) -> None:
    """Compile kernels of the gathered sources, and put the machine code beside them."""
    cache = folder / "cache"
    own = {key: os.environ[key] for key in os.environ if not key.startswith("NUMBA_")}
    environment = {
        **own,
        "PYTHONPATH": os.pathsep.join((str(folder), *filter(None, sys.path))),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(cache),
    }
    made = "from kardan.rotations.jit.folders import compiler; print(compiler())"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{made}"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode != 0:
        raise SystemExit(
            f"The kernels could not be compiled. They need {', '.join(kernel_requirements())}; "
            f"'--config-settings {MACHINE_CODE}=none' builds a wheel without machine code."
        )
    home = folder.joinpath(HOME, *IN_WHEEL)
    shutil.move(cache / "kardan" / "kernels", home)
    shutil.rmtree(cache)
    for lock in home.rglob("*.lock"):
        lock.unlink()
    (home / "made_with.txt").write_text(done.stdout, encoding="utf-8")
    (folder / "setup.py").write_text(SETUP, encoding="utf-8")


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
