"""A reduction in a process of its own: a limit of time, and a cancel that works at once.

sympy holds the interpreter for seconds within one call, so that a thread could not be stopped and would
stall a window.
"""

import json
import os
import queue
import subprocess
import threading
import time
from typing import Any

from engine.errors import say
from engine.processes import command, search_path
from engine.symbols.reduced.exchange import decoded, problem_as_data
from engine.symbols.reduced.ratios import Ratio
from engine.symbols.reduced.reduction import Problem
from engine.symbols.reduced.space import SpatialProblem

LIMIT = 30.0  # s
WORKING, DONE, CANCELLED, LATE, FAILED = "working", "done", "cancelled", "late", "failed"


class Reduction:
    """A reduction that is under way elsewhere; `poll` takes what has arrived, `cancel` ends it."""

    def __init__(self, problem: Problem | SpatialProblem, limit: float = LIMIT) -> None:
        self.limit, self.state = limit, WORKING
        self.found: dict[str, Any] = {}
        self.until = time.monotonic() + limit
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.process = subprocess.Popen(
            command(f"{__package__}.reducing"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": search_path()},
        )
        text = json.dumps(problem_as_data(problem))
        self._thread = threading.Thread(target=self._talk, args=(text,), daemon=True)
        self._thread.start()

    def _talk(self, text: str) -> None:
        """Send the problem and collect the answers; in a thread, for both may wait."""
        assert self.process.stdin and self.process.stdout
        try:
            with self.process.stdin as pipe:
                pipe.write(text)
            for line in self.process.stdout:
                self._lines.put(line)
        except OSError:  # it was cancelled
            pass
        self._lines.put("")

    def poll(self) -> str:
        """Take what has arrived; returns the state."""
        while self.state == WORKING and not self._lines.empty():
            line = self._lines.get()
            if not line:
                self._end(FAILED)
                break
            name, data = json.loads(line)
            self.found[name] = _read(name, data)
            if name == "done":
                self._end(DONE)
        if self.state == WORKING and time.monotonic() > self.until:
            self._end(LATE)
        return self.state

    def cancel(self) -> None:
        """End it now."""
        if self.state == WORKING:
            self._end(CANCELLED)

    def wait(self) -> str:
        """Poll until it has ended; for programs without a window."""
        while self.poll() == WORKING:
            self._thread.join(0.02)
        return self.state

    def sentence(self) -> str:
        """What became of it, in words; empty while all is well."""
        if self.state == LATE:
            return say(
                "The reduction did not end within {limit:g} s. What was found so far is shown; remove "
                "bodies, or look at the other views.",
                limit=self.limit,
            )
        if self.state == FAILED:
            return say("The reduction has failed. Look at the other views instead.")
        return say("The reduction was cancelled.") if self.state == CANCELLED else ""

    def _end(self, state: str) -> None:
        self.state = state
        self.process.kill()
        self.process.wait()
        self._thread.join()
        if self.process.stdout:
            self.process.stdout.close()


def _read(name: str, data: Any) -> Any:
    """An answer of the child as expressions."""
    if name in ("loop", "rates", "solved"):
        return [decoded(x) for x in data]
    if name == "ratios":
        return [
            Ratio(decoded(rate), tuple((decoded(one), decoded(x)) for one, x in parts))
            for rate, parts in data
        ]
    if name == "matrix":
        return decoded(data[0]), [decoded(x) for x in data[1]]
    return data
