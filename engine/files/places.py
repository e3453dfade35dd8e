"""Whether two paths mean one file, what is written beside a table, and whether there is room for it."""

import os
import shutil
import uuid
from collections.abc import Sequence
from pathlib import Path

from engine.errors import EngineError
from engine.files.atomic import is_device


def same_file(one: str | Path, other: str | Path) -> bool:
    """Whether two paths mean one file, by links, spelling or capitals; also where there is none yet."""
    try:
        if os.path.exists(one) or os.path.exists(other):
            return os.path.samefile(one, other)
        a, b = Path(os.path.realpath(one)), Path(os.path.realpath(other))
        if a == b:
            return True
        if a.name.casefold() != b.name.casefold() or not os.path.samefile(a.parent, b.parent):
            return False
        return a.name == b.name or _folds_case(a.parent)
    except (OSError, ValueError):  # one of them is nowhere
        return False


def explanation_of(path: str | Path) -> Path:
    """The file beside a table of text that explains its columns: run.columns.csv for run.csv."""
    whole = Path(path)
    return whole.with_name(f"{whole.name.removesuffix('.csv')}.columns.csv")


def check_distinct(inputs: Sequence[str | Path], outputs: Sequence[tuple[str, str | Path]]) -> None:
    """Raise EngineError where a file to be written is one that is read, or another that is written.

    Outputs are pairs of what the user calls them and their path.
    """
    for n, (name, path) in enumerate(outputs):
        if is_device(path):
            continue
        for source in inputs:
            if same_file(path, source):
                raise EngineError(
                    "{name} would write over the model '{path}' itself. Choose another name.",
                    name=name,
                    path=path,
                )
        for earlier, other in outputs[:n]:
            if same_file(path, other):
                raise EngineError(
                    "Both {first} and {second} would write '{path}'. Give them different names.",
                    first=earlier,
                    second=name,
                    path=path,
                )


def check_room(path: str | Path, n_bytes: float) -> None:
    """Raise EngineError if a file of this size would not fit on the disk; nothing is written."""
    if is_device(path):
        return
    folder = Path(os.path.realpath(path)).parent
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return  # a place that does not tell is tried
    if n_bytes > free:
        raise EngineError(
            "'{path}' would take about {size:.3g} GB, and {free:.3g} GB are free there. Use a longer "
            "output step, a shorter end time, fewer channels, or another disk.",
            path=path,
            size=n_bytes / 1e9,
            free=free / 1e9,
        )


def _folds_case(folder: Path) -> bool:
    """Whether a folder takes names that differ in capitals for one."""
    name = f".kardan-{uuid.uuid4().hex}.tmp"
    probe = folder / name
    try:
        probe.touch(exist_ok=False)
        return (folder / name.upper()).exists()
    finally:
        probe.unlink(missing_ok=True)
