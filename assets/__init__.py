"""Files that come with the program: examples, icons and the font of formulas."""

from pathlib import Path

EXAMPLES = Path(__file__).parent / "examples"
ICONS = Path(__file__).parent / "icons"
FONTS = Path(__file__).parent / "fonts"


def example_paths() -> dict[str, Path]:
    """The model files of the examples by name, in alphabetical order."""
    return {path.stem: path for path in sorted(EXAMPLES.glob("*.json"))}
