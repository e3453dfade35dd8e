"""Which file a name means: a model file, or an example that comes with the program."""

import difflib
from pathlib import Path

from assets import example_paths
from engine.errors import EngineError, say

SUFFIX = ".json"
MOST_GUESSES = 3
LIKENESS = 0.6  # of two names, from 0 to 1: below it none is offered


def model_path(name: str) -> Path:
    """The file of this name, or the example; EngineError with the nearest names if there is neither.

    An example may be written with capitals, spaces or hyphens: "Four-bar" is four_bar.
    """
    try:
        if name and Path(name).exists():
            return Path(name)
    except (OSError, ValueError):  # too long, or with a character that no name has
        pass
    example = example_named(name)
    if example is None:
        raise EngineError(
            "There is neither a file nor an example '{name}'.{guess} 'kardan examples' lists the examples.",
            name=name[:200],
            guess=_guess(name),
        )
    return example


def example_named(name: str) -> Path | None:
    """The example of this name; None if there is none."""
    plain = name.removesuffix(SUFFIX).strip().lower().replace(" ", "_").replace("-", "_")
    return example_paths().get(plain)


def near(word: str, known: list[str]) -> list[str]:
    """The known words that look like a mistyped one, the nearest first."""
    alike = {one.lower(): one for one in known}
    found = difflib.get_close_matches(word.lower()[:80], alike, n=MOST_GUESSES, cutoff=LIKENESS)
    return [alike[one] for one in found]


def did_you_mean(words: list[str]) -> str:
    """The question, with a space before it; nothing where there are no words."""
    if not words:
        return ""
    quoted = [f"'{word}'" for word in words]
    listed = " or ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)
    return " " + say("Did you mean {listed}?", listed=listed)


def _guess(name: str) -> str:
    """Files beside the missing one and examples with a similar name, as a question."""
    path = Path(name)
    try:
        beside = [one.name for one in path.parent.iterdir() if one.suffix == SUFFIX]
    except (OSError, ValueError):
        beside = []
    files = [str(path.parent / one) for one in near(path.name, beside)]
    return did_you_mean([*files, *near(path.stem, list(example_paths()))][:MOST_GUESSES])
