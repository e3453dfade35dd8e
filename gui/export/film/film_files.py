"""Films as files: MP4 through the program ffmpeg, GIF through Pillow; frames come one by one.

Each writer takes an iterator of frames and fills an open file, so that not all frames are in memory at
once, and the file appears under its name only when it is complete.
"""

import contextlib
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import islice
from typing import IO, NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImage

from engine.errors import EngineError

GIF_COLOURS = 255  # one of the 256 is reserved
GIF_SAMPLES = 6  # frames from all over the film whose colours make the palette
SHORTEST_GIF_PAUSE = 2  # hundredths of a second; browsers slow down what is faster
_NO_CONSOLE = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows


class FilmForm(NamedTuple):
    """Size in pixels and frames per second."""

    width: int
    height: int
    rate: float

    @property
    def even(self) -> "FilmForm":
        """The nearest form with even sizes, which the colours of MP4 need."""
        return self._replace(width=self.width // 2 * 2, height=self.height // 2 * 2)


def ffmpeg() -> str:
    """Where the program ffmpeg is; EngineError if there is none."""
    try:
        import imageio_ffmpeg

        return imageio_ffmpeg.get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        raise EngineError(
            _tr(
                "MP4 films need the program ffmpeg, which was not found. Install it with "
                "'pip install imageio-ffmpeg', or write a GIF instead."
            )
        ) from None


def write_mp4(file: IO[bytes], form: FilmForm, frames: Iterator[QImage]) -> None:
    """Fill an open file with a film; EngineError gives the message of ffmpeg."""
    program = ffmpeg()
    command = [
        *(program, "-y", "-loglevel", "error"),
        *("-f", "rawvideo", "-pix_fmt", "bgr0", "-s", f"{form.width}x{form.height}"),
        *("-r", f"{form.rate:g}", "-i", "pipe:0"),
        *("-an", "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p"),
        *("-movflags", "+faststart", "-f", "mp4", file.name),
    ]
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            creationflags=_NO_CONSOLE,
        )
        assert process.stdin is not None
        try:
            for frame in frames:
                process.stdin.write(_bgr0(frame))
            process.stdin.close()
            failed = process.wait() != 0
        except BrokenPipeError:
            failed = True
        except BaseException:
            process.kill()
            raise
        finally:
            _end(process)
        if failed:
            complaints.seek(0)
            lines = complaints.read().decode(errors="replace").strip().splitlines()
            reason = lines[-1][:200] if lines else _tr("it stopped without a word")
            raise EngineError(_tr("ffmpeg could not write the film: {0}.").format(reason))


def write_gif(file: IO[bytes], form: FilmForm, frames: Iterator[QImage]) -> None:
    """Fill an open file with an endless GIF; the first GIF_SAMPLES frames only give colours."""
    from PIL import GifImagePlugin, Image

    samples = [_rgb(frame) for frame in islice(frames, GIF_SAMPLES)]
    together = Image.fromarray(np.concatenate(samples, axis=0))
    palette = together.quantize(GIF_COLOURS, dither=Image.Dither.NONE)
    before: np.ndarray | None = None
    waiting: tuple[Image.Image, tuple[int, int]] | None = None
    shown, due = 0, 0.0  # hundredths of a second

    def put(picture: Image.Image, corner: tuple[int, int], pause: int) -> None:
        """Append one rectangle that is shown for a while."""
        for block in GifImagePlugin.getdata(picture, corner, duration=10 * pause, disposal=1):
            file.write(block)

    for frame in frames:
        picture = Image.fromarray(_rgb(frame)).quantize(palette=palette, dither=Image.Dither.NONE)
        indices = np.asarray(picture)
        if before is None:
            for block in GifImagePlugin.getheader(picture, info={"loop": 0})[0]:
                file.write(block)
            waiting = (picture, (0, 0))
        else:
            box = _changed(before, indices)
            pause = round(due) - shown
            if box is not None and pause >= SHORTEST_GIF_PAUSE:
                assert waiting is not None
                put(*waiting, pause)
                shown += pause
                waiting = (picture.crop(box), (box[0], box[1]))
            else:
                indices = before
        before = indices
        due += 100.0 / form.rate
    if waiting is not None:
        put(*waiting, max(round(due) - shown, SHORTEST_GIF_PAUSE))
    file.write(b";")


def _changed(before: np.ndarray, after: np.ndarray) -> tuple[int, int, int, int] | None:
    """The rectangle (left, top, right, bottom) in which two pictures differ, or None."""
    differs = before != after
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def _bgr0(frame: QImage) -> bytes:
    """The pixels of a frame; those of RGB32 have this order on every usual processor."""
    plain = frame.convertToFormat(QImage.Format.Format_RGB32)
    return bytes(plain.constBits())


def _rgb(frame: QImage) -> np.ndarray:
    """The pixels of a frame, (height, width, 3)."""
    plain = frame.convertToFormat(QImage.Format.Format_RGBX8888)
    pixels = np.frombuffer(plain.constBits(), np.uint8)
    return pixels.reshape(plain.height(), plain.width(), 4)[:, :, :3].copy()


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Close the pipe of a process and wait for its end."""
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    process.wait()


def _tr(text: str) -> str:
    return QCoreApplication.translate("Export", text)
