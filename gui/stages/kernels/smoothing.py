"""Smooth edges in a finished picture: FXAA (T. Lottes, 2009) where brightness or cover jumps.

Where a pixel differs from its neighbours it lies on an edge, lying or standing. The edge is followed to
both sides up to its ends, and the pixel is mixed with the one across the edge by how near the nearer end
is: steps become slopes. It takes about 1 ms where drawing four times the pixels takes 5 to 8.
"""

import numpy as np

from gui.stages.kernels import are_compiled, kernel

LEAST = 18  # brightness: smaller jumps are no edges
SHARE = 8  # nor are jumps below 1 / SHARE of the brightest neighbour
FAR = 10  # pixels that an edge is followed to each side
SINGLE = 0.6  # how strongly single pixels are softened
TILE = 8  # pixels: the drawn part is found in steps of this


@kernel
def grey_into(dots, y0, y1, x0, x1, level):
    """Brightness of premultiplied pixels (h, w, 4), raised where something is drawn, into (h, w)."""
    for y in range(y0, y1):
        for x in range(x0, x1):
            bright = 5 * int(dots[y, x, 0]) + 9 * int(dots[y, x, 1]) + 2 * int(dots[y, x, 2])
            level[y, x] = bright // 16 + int(dots[y, x, 3]) // 2


@kernel
def edges_into(level, y0, y1, x0, x1, is_edge):
    """Which pixels differ from a neighbour so much that an edge runs there."""
    for y in range(y0, y1):
        for x in range(x0, x1):
            m, n, s = level[y, x], level[y + 1, x], level[y - 1, x]
            e, v = level[y, x + 1], level[y, x - 1]
            top = max(max(max(m, n), max(s, e)), v)
            span = top - min(min(min(m, n), min(s, e)), v)
            is_edge[y, x] = (span >= LEAST) & (span * SHARE >= top)


@kernel
def end_of_edge(level, y, x, dy, dx, ey, ex, mean, limit):
    """How far an edge goes on along (ey, ex), and the step of brightness where it ends."""
    h, w = level.shape
    off = 0.0
    for step in range(1, FAR + 1):
        yy, xx = y + step * ey, x + step * ex
        if min(yy, yy + dy, xx, xx + dx) < 0 or max(yy, yy + dy) >= h or max(xx, xx + dx) >= w:
            return step, off
        off = 0.5 * (level[yy, xx] + level[yy + dy, xx + dx]) - mean
        if abs(off) >= limit:
            return step, off
    return FAR, off


@kernel
def smooth_into(dots, level, is_edge, y0, y1, x0, x1, picture):
    """Pixels on edges with smooth edges into an upright picture; all others are left as they are."""
    last = dots.shape[0] - 1
    for y in range(y0, y1):
        for x in range(x0, x1):
            if not is_edge[y, x]:
                continue
            m, n, s = level[y, x], level[y + 1, x], level[y - 1, x]
            e, v = level[y, x + 1], level[y, x - 1]
            span = max(m, n, s, e, v) - min(m, n, s, e, v)
            ne, nw = level[y + 1, x + 1], level[y + 1, x - 1]
            se, sw = level[y - 1, x + 1], level[y - 1, x - 1]
            lying = abs(nw + sw - 2 * v) + 2 * abs(n + s - 2 * m) + abs(ne + se - 2 * e)
            standing = abs(nw + ne - 2 * n) + 2 * abs(v + e - 2 * m) + abs(sw + se - 2 * s)
            before, after = (s, n) if lying >= standing else (v, e)
            side = -1 if abs(before - m) >= abs(after - m) else 1
            jump = max(abs(before - m), abs(after - m))
            mean = 0.5 * (m + (before if side < 0 else after))
            dy, dx = (side, 0) if lying >= standing else (0, side)  # across the edge
            ey, ex = (0, 1) if lying >= standing else (1, 0)  # along it
            back, off_back = end_of_edge(level, y, x, dy, dx, -ey, -ex, mean, 0.25 * jump)
            forth, off_forth = end_of_edge(level, y, x, dy, dx, ey, ex, mean, 0.25 * jump)
            near, off = (back, off_back) if back < forth else (forth, off_forth)
            share = 0.0
            if (off < 0.0) != (m < mean):
                share = 0.5 - near / (back + forth)
            around = (2 * (n + s + e + v) + ne + nw + se + sw) / 12.0
            single = min(abs(around - m) / span, 1.0)
            single = single * single * (3.0 - 2.0 * single)
            share = max(share, SINGLE * single * single)
            for k in range(4):
                a, b = float(dots[y, x, k]), float(dots[y + dy, x + dx, k])
                picture[last - y, x, k if k == 3 else 2 - k] = np.uint8(a + share * (b - a) + 0.5)


@kernel
def turn_into(words, picture):
    """Pixels RGBA from the lowest line on, as words of four bytes, into a picture BGRA from the highest."""
    last = words.shape[0] - 1
    for y in range(words.shape[0]):
        for x in range(words.shape[1]):
            word = words[y, x]
            red, blue = word & np.uint32(0xFF), (word >> np.uint32(16)) & np.uint32(0xFF)
            rest = word & np.uint32(0xFF00FF00)
            picture[last - y, x] = rest | (red << np.uint32(16)) | blue


def upright(dots: np.ndarray, picture: np.ndarray | None = None) -> np.ndarray:
    """Bytes RGBA (h, w, 4) from the lowest line on, as BGRA from the highest: Qt copies these fastest."""
    picture = np.empty(dots.shape, np.uint8) if picture is None else picture
    turn_into(dots.view(np.uint32)[:, :, 0], picture.view(np.uint32)[:, :, 0])
    return picture


def ready_picture(dots: np.ndarray) -> np.ndarray:
    """An upright picture, by a slower way while the kernels are not compiled."""
    return upright(dots) if are_compiled() else np.ascontiguousarray(dots[::-1][:, :, [2, 1, 0, 3]])


class Smoother:
    """Smooths pictures of one size after another, in memory of its own."""

    def __init__(self) -> None:
        self.level = np.zeros((0, 0), dtype=np.int32)
        self.is_edge = np.zeros((0, 0), dtype=np.bool_)
        self.out = np.zeros((0, 0, 4), dtype=np.uint8)

    def smoothed(self, dots: np.ndarray) -> np.ndarray:
        """The upright picture of premultiplied bytes (h, w, 4), with smooth edges, until the next one.

        Only the part where something is drawn is looked at. Changes the memory.
        """
        if self.level.shape != dots.shape[:2]:
            self.level, self.out = (
                np.zeros(dots.shape[:2], np.int32),
                np.empty(dots.shape, np.uint8),
            )
            self.is_edge = np.zeros(dots.shape[:2], np.bool_)
        upright(dots, self.out)
        drawn = dots[::TILE, ::TILE, 3] > 0
        rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
        if len(rows):
            h, w = self.level.shape
            y0, x0 = (max(TILE * (int(at[0]) - 1), 1) for at in (rows, columns))
            y1, x1 = TILE * (int(rows[-1]) + 2), TILE * (int(columns[-1]) + 2)
            y1, x1 = min(y1, h - 1), min(x1, w - 1)
            reach = FAR + 1  # edges are followed out of the part that is looked at
            around = max(y0 - reach, 0), min(y1 + reach, h), max(x0 - reach, 0), min(x1 + reach, w)
            grey_into(dots, *around, self.level)
            edges_into(self.level, y0, y1, x0, x1, self.is_edge)
            smooth_into(dots, self.level, self.is_edge, y0, y1, x0, x1, self.out)
        return self.out
