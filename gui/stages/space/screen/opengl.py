"""Whether and how this machine draws in space, determined once per process.

VTK ends the whole program if OpenGL is missing or the driver is broken, so the first drawing is tried in
another process. The environment variable KARDAN_OPENGL, 'none' or 'works', replaces the test.
"""

import os
import subprocess
from threading import Lock
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from engine.processes import command, search_path
from gui.look.translation import QT_TRANSLATE_NOOP

VARIABLE = "KARDAN_OPENGL"
PATIENCE = 30.0  # s
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software", "basic render")
N = QT_TRANSLATE_NOOP


class OpenGL(NamedTuple):
    """What was found."""

    works: bool
    renderer: str = ""
    reason: str = ""  # a sentence, if it does not

    @property
    def is_software(self) -> bool:
        """Whether rendering is in software, so that effects are too expensive."""
        return any(name in self.renderer.lower() for name in SOFTWARE)


class Asked:
    """The answer, once it is known."""

    answer: OpenGL | None = None
    asking = Lock()  # whoever asks while another thread is trying waits for its answer


def opengl() -> OpenGL:
    """What this machine can draw; the first call takes about half a second and is remembered."""
    with Asked.asking:
        if Asked.answer is None:
            Asked.answer = _told() or _tried()
        return Asked.answer


def _told() -> OpenGL | None:
    """What the environment says instead of a test."""
    told = os.environ.get(VARIABLE, "")
    if told == "none":
        words = _tr(N("Space", "It was switched off by the variable {0}."))
        return OpenGL(False, "", words.format(VARIABLE))
    return OpenGL(True, told) if told else None


def _tried() -> OpenGL:
    """Draw in another process and see whether it survives."""
    try:
        done = subprocess.run(
            command(f"{__package__}.probe"),
            env={**os.environ, "PYTHONPATH": search_path()},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return OpenGL(False, "", _tr(N("Space", "The graphics driver does not answer.")))
    except OSError as error:
        return OpenGL(False, "", _tr(N("Space", "It could not be tried: {0}.")).format(error))
    if done.returncode == 0:
        return OpenGL(True, done.stdout.strip().splitlines()[-1] if done.stdout.strip() else "")
    return OpenGL(False, "", _tr(N("Space", "The graphics driver failed when it was tried.")))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Space", text)
