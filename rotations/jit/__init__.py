"""Compile kernels with numba, for one processor level, and keep the machine code on disk, never stale."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba

from rotations.jit import processor
from rotations.jit.folders import Folders, folders_for

processor.choose()

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",  # 1/0 is inf, as everywhere in numpy
    "fastmath": {"contract", "nsz"},  # a*b + c may be one operation; NaN and inf keep their meaning
    "_nrt": False,  # no allocation, so no counting of references: calls with many arrays stay cheap
}
_SETTINGS = threading.RLock()  # held while numba's settings are changed


def kernel_decorator(
    *source_folders: Path, inlined: bool = False, merged: bool = False
) -> Callable[[Callable[..., Any]], Any]:
    """The njit decorator for kernels that depend on the Python files in these folders.

    `inlined` kernels become part of their caller: suited to thin ones that pass on large tuples. `merged`
    ones do so as machine code: suited to short ones with loops, whose arrays then stay in registers.
    """
    folders = folders_for(*source_folders)
    options = {**OPTIONS, "inline": "always" if inlined else "never"}
    options.update({"forceinline": True} if merged else {})

    def kernel(function: Callable[..., Any]) -> Any:
        """Compile `function` on its first call, without Python objects and without the GIL."""
        compiled = numba.njit(**options)(function)
        keep(compiled, function, folders)
        return compiled

    return kernel


def keep(compiled: Any, function: Callable[..., Any], folders: Folders) -> None:
    """Keep the machine code of a function in the folders, if there are any; changes `compiled`.

    Where numba's internal classes are not those that this cache builds on, numba's own cache is used.
    """
    folder = folders.own or folders.shipped
    if folder is None:
        return
    with cached_in(folder):
        try:
            compiled._cache = _own_cache(function, folders)
        except (ImportError, AttributeError, TypeError):
            if folders.own is not None:
                compiled.enable_caching()


def _own_cache(function: Callable[..., Any], folders: Folders) -> Any:
    """Our cache of a function; fails where the internals of numba have changed."""
    from rotations.jit.cache import KernelCache

    return KernelCache(function, folders)


@contextmanager
def cached_in(folder: Path) -> Iterator[None]:
    """Caches that are made in this block keep their files in the folder; changes numba's settings.

    The settings are global to the process, so only one thread at a time may change them.
    """
    config: Any = numba.config
    with _SETTINGS:
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            yield
        finally:
            config.CACHE_DIR = before


kernel = kernel_decorator(Path(__file__).parent.parent)
