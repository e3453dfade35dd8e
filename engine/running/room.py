"""Whether the frames of a run fit into the memory of this machine, asked before it begins."""

import os
from contextlib import suppress
from pathlib import Path

from engine.compiling.system import Compiled
from engine.errors import EngineError
from engine.model.elements import Settings
from engine.results.results import Results

MOST_BYTES = 3e9  # of frames in one run
SHARE = 1 / 3  # of the memory that is free: plots, tables and drawings need some as well


def check_memory(compiled: Compiled, settings: Settings) -> None:
    """Raise EngineError if the frames of a run would not fit, with the output step that would."""
    output_step = float(settings.output_step)
    n_frames = float(settings.t_end) / output_step + 1.0
    size = n_frames * Results(compiled, settings).bytes_of_frame
    most = min(MOST_BYTES, SHARE * free_memory())
    if size > most:
        raise EngineError(
            "The run would fill {size:.3g} GB of memory with {n_frames:.2g} frames, and {most:.2g} GB are "
            "there for it. Use an output step of {longer:.2g} s or more, a shorter end time, or "
            "'kardan simulate' with --csv or --npz, which writes while it runs.",
            size=size / 1e9,
            n_frames=n_frames,
            most=most / 1e9,
            longer=1.1 * output_step * size / most,
        )


def free_memory() -> float:
    """The memory that may still be used [bytes]; enough, where the system does not tell."""
    with suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024.0 * float(line.split()[1])
    with suppress(OSError, ValueError, AttributeError):
        return float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE")
    return MOST_BYTES / SHARE
