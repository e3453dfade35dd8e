"""Abuses of the command line: each ends soon, with a known exit code, no traceback, the model untouched.

A seed chooses the order and the details; there are more than sixty kinds, each in a process of its own.
"""

import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from assets import example_paths
from tests.abuse.report import Tally

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0  # s: a busy machine loads the kernels slowly
CODES = (0, 2, 130, 143)
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")  # no window may open
MODEL = "model.json"


class Abuse(NamedTuple):
    """One abuse: arguments, and what else is done to the process."""

    arguments: tuple[str, ...]
    how: str = ""  # a key of _HOW


def _plain() -> list[Abuse]:
    """Arguments that no program should meet, and some that it should."""
    wrong = ("nan", "inf", "-1", "0", "1e400", "abc", "", "1e-320", "-0", "1_0", "٣", "1e9")
    numbers = [
        Abuse(("simulate", MODEL, f"--{option}", value))
        for option in ("t-end", "step", "output-step", "tolerance")
        for value in wrong
        if not (option == "t-end" and value == "1e9")  # that is a long run, not a wrong one
    ]
    words = [
        *(("simulate",), ("simulate", ""), ("simulate", "\udcff"), ("simulate", "x" * 5000)),
        *(("simulate", "."), ("simulate", "/dev/null"), ("simulate", "folder"), ("fly",), ("",)),
        *(("simulate", "empty.json"), ("simulate", "half.json"), ("simulate", "binary.json")),
        *(("check", "empty.json"), ("check", "/dev/null"), ("check", "loop.json"), ("check",)),
        *(("simulate", MODEL, "--method", "none"), ("simulate", MODEL, "--channels", "*nothing")),
        *(("simulate", MODEL, "--channels", "["), ("simulate", MODEL, "--set", "=")),
        *(("simulate", MODEL, "--set", "a"), ("simulate", MODEL, "--set", "m=1e999")),
        *(("simulate", MODEL, "--set", "x=__import__('os')"), ("examples", "--copy", MODEL)),
        *(("examples", "--copy", "/proc/none"), ("order", MODEL, "--steps", "-3")),
        *(("converge", MODEL), ("converge", MODEL, "--channels", "gap", "--at", "nan")),
        *(("compare", MODEL, "--methods", "euler", "--t-end", "0.01", "--picture", MODEL),),
        *(("compare", MODEL, "--repeats", "0"), ("channels", MODEL, "%s%n"), ("--", "--")),
        *((MODEL, MODEL), ("simulate", MODEL, MODEL), ("--version", "--help"), ("-h",)),
        *(("simulate", MODEL, "--csv", target) for target in _TARGETS),
        *(("simulate", MODEL, "--npz", target) for target in _TARGETS),
        ("simulate", MODEL, "--csv", "same", "--npz", "./same"),
    ]
    return [*numbers, *map(Abuse, words)]


_TARGETS = (MODEL, "link.json", "folder", "missing/out", "/dev/full", "", "\0", "x" * 300, "locked")


def _treated() -> list[Abuse]:
    """Commands whose process, terminal or disk is treated badly."""
    long = ("simulate", MODEL, "--t-end", "20000", "--csv", "out.csv", "--npz", "out.npz")
    short = ("simulate", MODEL, "--t-end", "0.2", "--csv", "out.csv")
    return [
        *(Abuse(long, how) for how in ("interrupted", "terminated", "interrupted twice")),
        *(Abuse(short, how) for how in ("early", "no stdout", "no stderr", "nothing open")),
        *(Abuse(("examples",), how) for how in ("reader leaves", "no stdout", "full")),
        *(Abuse(long, how) for how in ("small files", "little memory", "reader leaves")),
        *(Abuse(("check", MODEL), how) for how in ("reader leaves", "full", "early")),
    ]


def abuse(tally: Tally, seed: int, count: int, folder: Path, step: Callable[[], object]) -> None:
    """Try `count` abuses of the command line; changes the tally."""
    rng = random.Random(seed)
    kinds = [*_plain(), *_treated()]
    rng.shuffle(kinds)
    for n in range(count):
        one = kinds[n % len(kinds)]
        with tempfile.TemporaryDirectory() as scratch:
            before = _furnish(Path(scratch))
            told = f"seed {seed}: {one.how} {' '.join(map(repr, one.arguments))[:300]}"
            code, errors = _tried(one, scratch, rng)
            if code is None:
                tally.find("hang", told)
            elif "Traceback" in errors or "Exception ignored" in errors:
                tally.find("traceback", f"{told}\n{errors[-1500:]}")
            elif code not in CODES:
                tally.find("exit code", f"{code}, {told}\n{errors[-500:]}")
            elif (Path(scratch) / MODEL).read_bytes() != before:
                tally.find("overwritten model", told)
            elif list(Path(scratch).glob(".kardan-*")):
                tally.find("rest of a file", told)
            else:
                tally.count(f"exit {code}")
        tally.tried += 1
        step()


def _furnish(folder: Path) -> bytes:
    """Files for the abuses; returns what the model holds."""
    content = example_paths()["pendulum"].read_bytes()
    (folder / MODEL).write_bytes(content)
    (folder / "link.json").symlink_to(MODEL)
    (folder / "loop.json").symlink_to("loop.json")
    (folder / "empty.json").write_bytes(b"")
    (folder / "half.json").write_bytes(content[: len(content) // 2])
    (folder / "binary.json").write_bytes(bytes(range(256)) * 10)
    (folder / "folder").mkdir()
    (folder / "locked").write_bytes(b"locked")
    (folder / "locked").chmod(0o444)
    return content


def _tried(one: Abuse, folder: str, rng: random.Random) -> tuple[int | None, str]:
    """The exit code of an abuse, None if it does not end, and what it said on stderr."""
    arguments = [a.encode("utf-8", "surrogateescape") for a in one.arguments]
    arguments = [a.replace(b"\0", b"\x01") for a in arguments]  # no system passes a null on
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if one.how == "full":
        streams["stdout"] = os.open("/dev/full", os.O_WRONLY)
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), *arguments],
        cwd=folder,
        env={**{k: v for k, v in os.environ.items() if k not in DISPLAYS}, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        preexec_fn=_PREPARED.get(one.how),
        **streams,
    )
    if isinstance(streams["stdout"], int) and one.how == "full":
        os.close(streams["stdout"])
    if one.how == "reader leaves" and process.stdout is not None:
        process.stdout.close()
        process.stdout = None
    for number in _SIGNALS.get(one.how, ()):
        time.sleep(rng.uniform(0.05, 0.6) if one.how == "early" else rng.uniform(0.5, 6.0))
        process.send_signal(number)
    try:
        _, errors = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, ""
    code = process.returncode
    if one.how == "early" and code == -signal.SIGINT:
        code = 130  # before Python itself was there
    return code, (errors or b"").decode(errors="replace")


_SIGNALS: dict[str, tuple[signal.Signals, ...]] = {
    "interrupted": (signal.SIGINT,),
    "terminated": (signal.SIGTERM,),
    "interrupted twice": (signal.SIGINT, signal.SIGINT),
    "early": (signal.SIGINT,),
    "little memory": (signal.SIGINT,),
    "reader leaves": (signal.SIGINT,),
}


def _close(*numbers: int) -> Callable[[], None]:
    def close() -> None:
        for number in numbers:
            os.close(number)

    return close


def _limit(what: int, most: int) -> Callable[[], None]:
    def limit() -> None:
        resource.setrlimit(what, (most, most))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # as a full disk: writing fails

    return limit


_PREPARED: dict[str, Callable[[], None]] = {
    "no stdout": _close(1),
    "no stderr": _close(2),
    "nothing open": _close(0, 1, 2),
    "small files": _limit(resource.RLIMIT_FSIZE, 200_000),
    "little memory": _limit(resource.RLIMIT_AS, 3_000_000_000),
}
