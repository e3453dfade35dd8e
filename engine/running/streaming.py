"""A run whose frames are written while they are made, so that its memory does not grow with its length."""

from collections.abc import Callable, Sequence

import numpy as np

from engine.results.balance import exchange_of, works_of
from engine.results.export import tabulated
from engine.results.results import Results
from engine.results.streams import Stream
from engine.results.summary import Measured, summary
from engine.running.simulate import Run

PIECE_BYTES = 16e6  # of frames that are held before they are written
FEWEST = 64  # frames in a piece, however large they are


class StreamedRun:
    """A run that goes to its streams piece by piece: of its frames only the last ones are kept.

    Channels are those of all frames at once: turns are counted on, the energy error refers to the start.
    """

    def __init__(self, running: Run, channels: Sequence[str] | None, streams: Sequence[Stream]):
        self.results = Results(running.compiled, running.settings)
        self.results.tell(running.account(is_over=False))
        self.frames = Measured()
        self._running, self._channels, self._streams = running, channels, streams
        self._n_new = 0  # frames at the end that are not written yet
        self._start: np.ndarray | None = None  # works in the first frame

    def run(self, progress: Callable[[float], bool | None] | None = None) -> None:
        """Run to the end, or until `progress` returns False; then the files are whole.

        If anything goes wrong with them, all old files stay as they were.
        """
        piece = max(FEWEST, int(PIECE_BYTES / self.results.bytes_of_frame))
        try:
            for block in self._running:
                self.results.append(block)
                self._n_new += len(block.t)
                if self._n_new >= piece:
                    self._write()
                    self.results.keep_last(1)
                if progress is not None and progress(self._running.fraction) is False:
                    break
            self._write()
            self.results.tell(self._running.account())
        except BaseException:
            for stream in self._streams:
                stream.discard()
            raise
        for stream in self._streams:
            stream.commit()

    def summary(self) -> str:
        """What was run and how it went."""
        return summary(self.results, self.frames)

    def _write(self) -> None:
        """Give the new frames to the streams; changes what is measured."""
        results = self.results
        table = tabulated(results, self._channels)
        new = slice(len(results) - self._n_new, len(results))
        table = table._replace(time=table.time[new], columns=[c[new] for c in table.columns])
        for stream in self._streams:
            stream.take(table)
        if self._n_new:
            self._start = works_of(results)[0] if self._start is None else self._start
            exchange = exchange_of(results, self._start)
            self.frames = self.frames.joined(results, exchange, self._n_new)
        self._n_new = 0
