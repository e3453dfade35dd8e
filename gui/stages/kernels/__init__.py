"""Compiled loops over the pixels of pictures: smooth edges, and shadows.

To compile them takes seconds. Until that is done, in the background, pictures do without them.
"""

from pathlib import Path

from rotations.jit import kernel_decorator
from rotations.jit.folders import folders_for

FOLDERS = folders_for(Path(__file__).parent)
DONE = "complete-pictures"  # a file in the cache folder that says so

kernel = kernel_decorator(Path(__file__).parent)
_known: set[str] = set()  # what was found on the disk, or compiled here


def are_compiled() -> bool:
    """Whether a picture need not wait for any of them."""
    if not _known and FOLDERS.have(DONE):
        _known.add(DONE)
    return bool(_known)


def note_compiled() -> None:
    """Say that all of them are compiled; leaves a file in the cache folder."""
    _known.add(DONE)
    if FOLDERS.own is not None:
        (FOLDERS.own / DONE).touch()
