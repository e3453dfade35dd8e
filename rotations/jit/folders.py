"""Folders of machine code: one for each state of the sources, the processor and the compiler.

The cache of a function must notice an edit in the files of the functions it calls. So each folder is
named by a hash of every source file it may depend on: if any of them changes, the old machine code is not
found.

A wheel brings such folders along, in `machine_code` beside this module. They are only read, and trusted as
the program itself is. What they do not hold, or hold for another compiler, is compiled for the user.
"""

import hashlib
import os
import stat
import sys
import time
from pathlib import Path
from typing import NamedTuple

import llvmlite
import numba

from rotations.jit import processor

SHIPPED = Path(__file__).parent / "machine_code"  # in a wheel
MADE_WITH = "made_with.txt"  # there: what compiled it, in the words of `compiler`
_KEEP_DAYS = 30  # folders of older sources that were unused for this time are removed


class Folders(NamedTuple):
    """Where the machine code for some sources is."""

    own: Path | None  # of the user, read and written; None where nothing can be written safely
    shipped: Path | None  # of the program, only read; None where it brought none that fits

    def have(self, mark: str) -> bool:
        """Whether one of them holds a file of this name."""
        return any(folder is not None and (folder / mark).exists() for folder in self)


def folders_for(*source_folders: Path) -> Folders:
    """The folders of machine code for these sources; makes that of the user."""
    shipped = SHIPPED / _fingerprint(source_folders)
    return Folders(cache_folder(*source_folders), shipped if shipped.is_dir() else None)


def compiler() -> str:
    """What machine code depends on besides its sources, in a few words."""
    python = ".".join(map(str, sys.version_info[:2]))
    versions = f"numba {numba.__version__}, llvmlite {llvmlite.__version__}, Python {python}"
    return f"{versions}, {sys.platform}, {processor.chosen_name()}"


def made_with() -> str:
    """What compiled the machine code that the program brought along; empty where it brought none."""
    try:
        return (SHIPPED / MADE_WITH).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def cache_folder(*source_folders: Path) -> Path | None:
    """Where the user's machine code for these sources is kept; None where nothing can be written safely.

    Makes the folder, and deletes those of other sources that were unused for long.
    """
    base = _user_cache() / "kardan" / "kernels"
    folder = base / _fingerprint(source_folders)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (_is_own(base) and _is_own(folder)):
            return None  # machine code of other users is never run
        os.utime(folder)
        oldest = time.time() - _KEEP_DAYS * 86400
        for other in base.iterdir():
            if other.is_dir() and other.stat().st_mtime < oldest:
                _remove(other)
    except OSError:
        return None  # a read-only home: kernels are compiled again in each process
    return folder


def _fingerprint(folders: tuple[Path, ...]) -> str:
    """A short hash over all Python files in the folders, by name and content, and what compiles them."""
    built = f"{compiler()} {sys.implementation.cache_tag} {processor.chosen()}"
    digest = hashlib.sha256(built.encode())
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(
                path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0"
            )
    return digest.hexdigest()[:16]


def _user_cache() -> Path:
    """Where this system keeps files of the user that may be deleted at any time.

    A relative path would depend on where the program was started, perhaps in the folder of another user: it
    is not used.
    """
    home = Path.home()
    usual = {
        "win32": ("LOCALAPPDATA", home / "AppData" / "Local"),
        "darwin": ("", home / "Library" / "Caches"),
    }
    variable, otherwise = usual.get(sys.platform, ("XDG_CACHE_HOME", home / ".cache"))
    for name in ("NUMBA_CACHE_DIR", variable):
        if Path(os.environ.get(name, "")).is_absolute():
            return Path(os.environ[name])
    return otherwise


def _is_own(folder: Path) -> bool:
    """Whether a folder belongs to this user; if so, removes write access for others."""
    if not hasattr(os, "getuid"):
        return True  # on Windows the folders of a user are private
    found = folder.stat()
    if found.st_uid != os.getuid():
        return False
    folder.chmod(stat.S_IMODE(found.st_mode) & ~(stat.S_IWGRP | stat.S_IWOTH))
    return True


def _remove(folder: Path) -> None:
    """Delete a folder of cache files; another process may be doing the same."""
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
    folder.rmdir()
