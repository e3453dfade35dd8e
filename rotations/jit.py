"""Compile kernels with numba and keep the machine code on disk, never stale.

numba's own cache notices an edit in the file of a function, but not in the files of the functions
it calls. So each cache lives in a folder named by a hash of every source file it may depend on:
change any of them and the old machine code is simply not found.
"""

import hashlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",  # 1/0 is inf, as everywhere in numpy
    "fastmath": {"contract", "nsz"},  # a*b + c may be one operation; NaN and inf keep their meaning
    "_nrt": False,  # no allocation, so no counting of references: calls with many arrays stay cheap
}
_SETTINGS = threading.RLock()  # whoever changes numba's settings holds it
_KEEP_DAYS = 30  # folders of older sources, unused for so long, are removed


def kernel_decorator(
    *source_folders: Path, inlined: bool = False
) -> Callable[[Callable[..., Any]], Any]:
    """The njit decorator for kernels that depend on the Python files in these folders.

    `inlined` kernels become part of their caller: right for thin ones that hand large tuples on.
    """
    folder = cache_folder(*source_folders)
    inline = "always" if inlined else "never"
    options = {**OPTIONS, "cache": folder is not None, "inline": inline}

    def kernel(function: Callable[..., Any]) -> Any:
        """Compile `function` on its first call, without Python objects and without the GIL."""
        with cached_in(folder):
            return numba.njit(**options)(function)

    return kernel


@contextmanager
def cached_in(folder: Path | None) -> Iterator[None]:
    """What numba prepares to compile in this block is kept in the folder; changes numba's settings.

    The settings are those of the whole process, so one thread at a time.
    """
    config: Any = numba.config
    with _SETTINGS:
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            yield
        finally:
            config.CACHE_DIR = before


def cache_folder(*source_folders: Path) -> Path | None:
    """Where the machine code for these sources is kept; None where nothing can be written.

    Makes the folder, and forgets those of other sources that were long unused.
    """
    base = _user_cache() / "kardan" / "kernels"
    folder = base / _fingerprint(source_folders)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        oldest = time.time() - _KEEP_DAYS * 86400
        for other in base.iterdir():
            if other.is_dir() and other.stat().st_mtime < oldest:
                _remove(other)
    except OSError:
        return None  # a read-only home: kernels are compiled anew in each process
    return folder


def _fingerprint(folders: tuple[Path, ...]) -> str:
    """A short hash over the names and contents of all Python files in the folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(
                path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0"
            )
    return digest.hexdigest()[:16]


def _user_cache() -> Path:
    """Where this system keeps files that may be deleted at any time."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return Path(os.environ["NUMBA_CACHE_DIR"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))


def _remove(folder: Path) -> None:
    """Delete a folder of cache files; another process may be doing the same."""
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
    folder.rmdir()


kernel = kernel_decorator(Path(__file__).parent)
