"""Start Kardan: the window, or a command of the command line."""

import atexit
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from assets import example_paths
from engine import __version__
from engine.cli.console import guarded

COMMANDS = (
    "simulate",
    "check",
    "channels",
    "examples",
    "order",
    "converge",
    "compare",
    "equations",
    "freebody",
    "freedom",
    "coordinates",
    "microscope",
    "robot",
    "rotation",
    "script",
    "tree",
    "wear",
)
DEFAULT_EXAMPLE = "double_pendulum"
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")

# Python looks for garbage whenever 700 objects more are there. The modules that are imported make hundreds
# of thousands, all of which stay: looking through them in vain took a third of a short command.
SELDOM = 100_000

# The matrices here are small: threads inside linear algebra cost more than they gain.
THREAD_COUNTS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)

# OpenBLAS rounds by processor. This is the level that kernels are compiled for as well, x86-64-v3, so that
# a start that passes through linear algebra is the same to the last bit wherever that level is there.
CORE_TYPE = ("OPENBLAS_CORETYPE", "Haswell")
LEVEL = {"avx2", "fma", "bmi2"}  # what it needs, as Linux names it
PROCESSOR = "/proc/cpuinfo"

USAGE = """\
Kardan: draw a mechanism, press play, and see it move, correctly.

  kardan                       open the window
  kardan model.json            open the window with this model
  kardan four_bar              open the window with a copy of this example
  kardan simulate model.json   run a model without a window; --csv out.csv writes the results
  kardan check model.json      say what is wrong with a model, how it can move, what its constraints are
  kardan channels model.json   list what can be plotted and exported, with unit, frame and meaning
  kardan order model.json      measure the order of a method on a model
  kardan converge model.json   say whether the step is short enough, with error bands
  kardan compare model.json    run several methods side by side; --picture out.svg draws them
  kardan equations model.json  write the equations of motion; --latex, --python, --reduced, --numbers
  kardan freedom model.json    name every way to move, and what each joint takes away
  kardan coordinates model.json  absolute, relative, natural and independent coordinates side by side
  kardan microscope model.json open one step: its stages, what is left of every equation, its matrix
  kardan freebody model.json   tell all forces on a body at a time; --svg out.svg draws it cut free
  kardan rotation 3-1-3        tell R, A and B of Euler angles; of a body with model.json
  kardan robot model.json arm.urdf  write a tree as URDF, or as MJCF for .xml
  kardan script model.json     write the Python program that builds the model
  kardan tree model.json       tell how bodies hang in a tree, with its equations in joint coordinates
  kardan wear model.json       tell what its contacts wear off
  kardan examples              list the examples that come with the program
  kardan COMMAND --help        all options of a command
  kardan --version             print the version
  kardan --help                print this

From a checkout, `python main.py` is the same as `kardan`, and `make run` opens the window.
Without a display the first line simulates an example and writes its results into the folder out.
"""


def main(argv: list[str] | None = None) -> int:
    """Do what the arguments say and return the exit code."""
    return guarded(lambda: answer(sys.argv[1:] if argv is None else argv))


def answer(arguments: list[str]) -> int:
    """Do what the arguments say and return the exit code; whoever calls it looks after the terminal."""
    set_up_linear_algebra()
    first = arguments[0] if arguments else ""
    if first in ("-h", "--help"):
        print(USAGE, end="")
        return 0
    if first == "--version":
        print(f"Kardan {__version__}")
        return 0
    if first in COMMANDS:
        with garbage_collected_seldom():
            from engine.cli.commands import main as command_line

            return command_line(arguments)
    if len(arguments) > 1 and first.endswith(".json"):
        return complain("The window opens one model at a time. Give one file.")
    path = first and file_to_open(first)
    if path is None or len(arguments) > 1:
        from engine.cli.arguments import unknown_word

        return complain(unknown_word(" ".join(arguments), COMMANDS, list(example_paths())))
    return open_window(path)


def set_up_linear_algebra() -> None:
    """Ask for one thread and one way of rounding, unless the user does; before numpy is imported."""
    for name in THREAD_COUNTS:
        os.environ.setdefault(name, "1")
    try:
        with open(PROCESSOR) as told:
            flags = next((line.split() for line in told if line.startswith("flags")), [])
    except OSError:
        return  # a system that does not tell
    if LEVEL.issubset(flags):
        os.environ.setdefault(*CORE_TYPE)


@contextmanager
def garbage_collected_seldom() -> Iterator[None]:
    """While this lasts, and when the process ends, garbage is looked for seldom."""
    atexit.register(gc.freeze)  # Python's last look passes over what is frozen
    usual = gc.get_threshold()
    gc.set_threshold(SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def file_to_open(name: str) -> str | None:
    """The file that a name on the command line means, or the example; None if it means neither.

    A file that is missing is for the window to report, which stays open.
    """
    from engine.files.finding import example_named

    if name.endswith(".json") or os.path.isfile(name):
        return name
    example = example_named(name)
    return None if example is None else str(example)


def complain(sentence: str) -> int:
    """Print a sentence on stderr; returns the exit code."""
    print(sentence, file=sys.stderr)
    return 2


def open_window(path: str) -> int:
    """Open the window, with the model of this file unless the path is empty."""
    if sys.platform.startswith("linux") and not any(map(os.environ.get, DISPLAYS)):
        return run_without_display(path)
    with garbage_collected_seldom():
        from gui.window.app import run
    gc.freeze()
    return run(path)


def run_without_display(path: str) -> int:
    """Simulate headless, write a table and a picture into `out`, and say where they are."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from engine.errors import EngineError
    from engine.integrators import warm_up
    from gui.window.snapshot import write_snapshot

    what = f"'{path}'" if path else f"the example '{DEFAULT_EXAMPLE}'"
    print(f"There is no display here, so {what} is simulated without a window.", flush=True)
    warm_up.say_first_time()
    try:
        table, picture = write_snapshot(path or DEFAULT_EXAMPLE, "out")
    except EngineError as error:
        print(error.sentence, file=sys.stderr)
        return 1
    print(f"Results over time: {table}")
    print(f"Picture of the last frames: {picture}")
    print(
        "For the window, start Kardan where DISPLAY or WAYLAND_DISPLAY is set, or under xvfb-run."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
