"""Keep machine code on the disk, wherever the sources are, and check it when it is read.

numba's own cache goes by the path of the source file and trusts what it reads. Here the folder, named by a
hash of the sources, identifies them, and each file carries a digest: one that is truncated or changed is
deleted, and its function is compiled again. What the program brought along is asked second, and never
changed.

    name.nbi              digest of the rest, then a pickle of {key: digest of the machine code}
    name.<digest>.nbc     pickle of the machine code for one key (signature and processor)

Pickles can execute code: a folder belongs to the user alone or to the program (see rotations.jit.folders).
"""

import hashlib
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import numba
from numba.core import caching
from numba.core.serialize import dumps, loads

from rotations.jit.folders import Folders

DIGEST = hashlib.sha256().digest_size
DAMAGED = (
    "Compiled code on the disk was damaged; the solver compiles it again, which takes a moment."
)


class Files:
    """The files of one function in one folder: what numba's caches ask for."""

    def __init__(self, folder: Path, name: str, is_fixed: bool = False) -> None:
        self._folder, self._name = folder, name
        self._is_fixed = is_fixed  # nothing is written or deleted

    def load(self, key: Any) -> Any:
        """The data saved under the key; None if there is none, or if it is damaged."""
        name = self._index().get(key)
        if name is None:
            return None
        content = _read(self._code(name))
        if content is None or _digest(content).hex() != name:
            self._drop(self._code(name), was_there=content is not None)
            return None
        return loads(content)

    def save(self, key: Any, data: Any) -> None:
        """Write data under the key; where writing fails it is compiled again next time."""
        if self._is_fixed:
            return
        content = dumps(data)
        name = _digest(content).hex()
        with suppress(OSError):
            _write(self._code(name), content)
            self._write_index({**self._index(), key: name})

    def flush(self) -> None:
        """Delete everything."""
        if not self._is_fixed:
            with suppress(OSError):
                self._write_index({})

    def _index(self) -> dict[Any, str]:
        """The names of machine code by key."""
        path = self._folder / f"{self._name}.nbi"
        content = _read(path)
        if content is None or _digest(content[DIGEST:]) != content[:DIGEST]:
            self._drop(path, was_there=content is not None)
            return {}
        return dict(loads(content[DIGEST:]))

    def _write_index(self, names: dict[Any, str]) -> None:
        """Replace the index."""
        content = dumps(names)
        _write(self._folder / f"{self._name}.nbi", _digest(content) + content)

    def _code(self, name: str) -> Path:
        """The file of one piece of machine code."""
        return self._folder / f"{self._name}.{name[:32]}.nbc"

    def _drop(self, path: Path, was_there: bool) -> None:
        """Warn of a damaged file, and delete it if it is ours to delete."""
        if was_there:
            _say_damaged()
            if not self._is_fixed:
                with suppress(OSError):
                    path.unlink()


class FilesInTurn:
    """The files of one function in the folder of the user, then in that of the program."""

    def __init__(self, folders: Folders, name: str) -> None:
        own, shipped = folders
        self._all = [Files(own, name)] if own is not None else []
        if shipped is not None:
            self._all.append(Files(shipped, name, is_fixed=True))

    def load(self, key: Any) -> Any:
        """The data saved under the key in the first folder that has it; None if there is none."""
        found = (files.load(key) for files in self._all)
        return next((data for data in found if data is not None), None)

    def save(self, key: Any, data: Any) -> None:
        """Write data under the key into the folder of the user."""
        for files in self._all:
            files.save(key, data)

    def flush(self) -> None:
        """Delete what is the user's."""
        for files in self._all:
            files.flush()


class _Locator(caching._CacheLocator):
    """Where machine code is kept: in the folder that is current when a function is decorated."""

    def __init__(self, function: Any, file: str) -> None:
        self._py_file = file  # for numba's warnings
        config: Any = numba.config
        self._folder = Path(config.CACHE_DIR)
        self._place = f"{Path(file).parent.name}-{function.__code__.co_firstlineno}"

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        """Nothing: the folder is there, and where it cannot be written to nothing is kept."""

    def get_source_stamp(self) -> str:
        """The state of the sources: the folder is named by it."""
        return self._folder.name

    def get_disambiguator(self) -> str:
        """What distinguishes functions of the same name, besides the name of their file."""
        return self._place

    @classmethod
    def from_function(cls, function: Any, file: str) -> "_Locator":
        """The locator of a function in a file."""
        return cls(function, file)


class _Packing(caching.CompileResultCacheImpl):
    """How compiled functions become data; found by our locator."""

    _locator_classes: Any = (_Locator,)


class KernelCache(caching.FunctionCache):
    """The cache of one function."""

    _impl_class = _Packing

    def __init__(self, function: Any, folders: Folders) -> None:
        super().__init__(function)
        if not isinstance(self._cache_file, caching.IndexDataCacheFile):
            raise TypeError("numba keeps its files in another way")
        self._cache_file: Any = FilesInTurn(folders, self._impl.filename_base)


def _read(path: Path) -> bytes | None:
    """The content of a file; None where there is none."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    partial = path.with_name(f"{path.name}.{uuid4().hex[:8]}")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


@cache
def _say_damaged() -> None:
    """Warn, once in a process however many files there are."""
    warnings.warn(DAMAGED, RuntimeWarning, stacklevel=1)


def _digest(content: bytes) -> bytes:
    """A digest of the content."""
    return hashlib.sha256(content).digest()
