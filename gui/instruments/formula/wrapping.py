"""A formula that is wider than its paper stands on several lines, broken before equals and plus signs."""

from collections.abc import Iterator

from gui.instruments.formula.boxes import Box

INDENT = 2.0  # of the size of letters: how far further lines are moved in
SHORT = (
    5.0  # of the size of letters: a line this short is not ended, as the left side of an equation
)
BETWEEN = 0.35  # of the size of letters: room between two lines
SIGNS = frozenset(("=", "+", "−"))  # a line may begin with these


def wrapped(box: Box, width: float, size: float) -> Box:
    """The same formula on as many lines as this width asks for; what has no signs stays whole."""
    if box.width <= width:
        return box
    lines: list[list[tuple[float, Box]]] = [[]]
    end = 0.0
    for n, run in enumerate(_runs(box)):
        long = sum(gap + piece.width for gap, piece in run)
        is_lost = n == 1 and end <= SHORT * size and INDENT * size + long > width
        if lines[-1] and end + long > width and not is_lost:
            lines.append([])
            end = INDENT * size
        lines[-1] += run
        end += long
    return _stacked(lines, size) if len(lines) > 1 else box


def _runs(box: Box) -> Iterator[list[tuple[float, Box]]]:
    """Pieces that stay together, each with the gap before it: a sign and what follows it."""
    run: list[tuple[float, Box]] = []
    for gap, piece, may_break in _pieces(box):
        if may_break and run:
            yield run
            run = []
        run.append((gap, piece))
    yield run


def _pieces(box: Box) -> Iterator[tuple[float, Box, bool]]:
    """The gap before each piece, the piece, and whether a line may begin with it."""
    end = 0.0
    for x, _, child in box.children:
        if child.is_sum:
            for n, (_, _, term) in enumerate(child.children):
                yield (0.0 if n else x - end), term, n > 0
        else:
            yield x - end, child, child.text in SIGNS or box.is_sum
        end = x + child.width


def _stacked(lines: list[list[tuple[float, Box]]], size: float) -> Box:
    """Lines under each other; the origin is that of the first one."""
    made = Box()
    for n, line in enumerate(lines):
        up, down = (max(getattr(piece, side) for _, piece in line) for side in ("up", "down"))
        y = made.down + BETWEEN * size + up if n else 0.0
        x = INDENT * size if n else 0.0
        for k, (gap, piece) in enumerate(line):
            x += gap if k or not n else 0.0
            made.children.append((x, y, piece))
            x += piece.width
        made.width, made.down = max(made.width, x), y + down
        made.up = made.up if n else up
    return made
