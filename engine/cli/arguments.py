"""Arguments and tables of the command line: a mistake is told in a sentence, before the work begins."""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from engine.files.atomic import check_place, is_device
from engine.files.finding import did_you_mean, model_path, near
from engine.files.places import check_distinct, explanation_of

OUTPUTS = ("csv", "npz", "picture", "svg")  # options that name a file to be written


class Parser(argparse.ArgumentParser):
    """A parser that answers a mistake with one sentence and where to read more."""

    def error(self, message: str) -> NoReturn:
        """Print the sentence and end with 2."""
        sentence = message[:1].upper() + message[1:].rstrip(".")
        end = "" if sentence.endswith("?") else "."
        print(f"{sentence}{end} See '{self.prog} --help'.", file=sys.stderr)
        sys.exit(2)


def one_of(known: Iterable[str]) -> Callable[[str], str]:
    """The type of an argument that is one of a few words."""
    words = list(known)

    def word(text: str) -> str:
        if text in words:
            return text
        guess = did_you_mean(near(text, words)) or f" Choose one of {', '.join(words)}."
        raise argparse.ArgumentTypeError(f"there is no '{text}'.{guess}")

    return word


def number(text: str) -> float:
    """The type of an argument that is a number; whether it makes sense is for the engine to say."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number, such as 0.01") from None


def positive(text: str) -> float:
    """The type of an argument that is a number above zero."""
    found = number(text)
    if not 0.0 < found < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return found


def count(text: str) -> int:
    """The type of an argument that is a whole number above zero."""
    try:
        found = int(text)
    except ValueError:
        found = 0
    if found < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number above 0")
    return found


def check_outputs(chosen: argparse.Namespace, is_explained: bool = False) -> None:
    """Raise EngineError for a file that could not be written in the end, or that something else names.

    `is_explained`: a second file is written beside the table of text.
    """
    outputs: list[tuple[str, str | Path]] = []
    for option in OUTPUTS:
        path = getattr(chosen, option, None)
        if path is None:
            continue
        check_place(path)
        outputs.append((f"--{option}", path))
        if option == "csv" and is_explained and not is_device(path):
            beside = explanation_of(path)
            check_place(beside)
            outputs.append(("the explanation of --csv", beside))
    check_distinct([model_path(chosen.file)], outputs)


def unknown_word(word: str, commands: Sequence[str], examples: Sequence[str]) -> str:
    """The sentence about a first word that is neither a command nor a model."""
    guess = did_you_mean(near(word, [*commands, *examples])[:3])
    return (
        f"Kardan knows no command, file or example '{word}'.{guess} The commands are "
        f"{', '.join(commands)}; 'kardan examples' lists the examples, 'kardan --help' tells more."
    )


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of words in columns."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join(f"{word:<{width}}" for word, width in zip(one, widths)).rstrip() for one in rows
    ]
