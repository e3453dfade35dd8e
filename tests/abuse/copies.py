"""Work in copies of this process: a crash ends nothing else, and nothing is loaded or compiled again."""

import json
import os
import signal
import time
import traceback
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from tests.abuse.report import Tally

Say = Callable[[object], None]  # writes one line to whoever has started the copy


class Killed(NamedTuple):
    """What a copy had said when it was killed."""

    lines: list[str]  # whole ones
    when: float  # s of the clock of the system


def in_a_copy(tally: Tally, work: Callable[[Tally], None]) -> None:
    """Let a copy of this process do the work on an empty tally, and add it; a crash is a finding."""

    def do(say: Say) -> None:
        done = Tally(tally.name)
        work(done)
        say(json.dumps(done.raw))

    child, pipe = _copy(do)
    with open(pipe, encoding="utf-8") as lines:
        said = lines.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 0:
        tally.find("crash", f"seed {tally.seeds}, exit code {code}\n{said[-3000:]}")
    else:
        tally.add(Tally.of_raw(json.loads(said)))


def killed(works: list[Callable[[Say], None]], after: list[float]) -> list[Killed]:
    """Let copies work side by side and kill each some seconds after its first line, which is left out."""
    copies = [_copy(work) for work in works]
    pipes = [os.fdopen(pipe, encoding="utf-8") for _, pipe in copies]
    ready = []
    for pipe in pipes:
        pipe.readline()
        ready.append(time.monotonic())
    ends = [begun + wait for begun, wait in zip(ready, after)]
    found: list[Killed] = [Killed([], 0.0)] * len(works)
    for k in sorted(range(len(works)), key=lambda k: ends[k]):
        time.sleep(max(0.0, ends[k] - time.monotonic()))
        os.kill(copies[k][0], signal.SIGKILL)
        when = time.monotonic()
        os.waitpid(copies[k][0], 0)
        with pipes[k] as pipe:
            found[k] = Killed(pipe.read().split("\n")[:-1], when)
    return found


def _copy(work: Callable[[Say], None]) -> tuple[int, int]:
    """A copy of this process that does some work, and the end of a pipe on which it says its lines."""
    inward, outward = os.pipe()
    child = os.fork()
    if child:
        os.close(outward)
        return child, inward
    os.close(inward)
    _do(work, outward)


def _do(work: Callable[[Say], None], outward: int) -> NoReturn:
    """Do the work and end this process."""
    code = 0
    with open(outward, "w", encoding="utf-8") as pipe:
        try:
            work(lambda line: print(line, file=pipe, flush=True))
        except BaseException:
            pipe.write(traceback.format_exc())
            code = 1
    os._exit(code)
