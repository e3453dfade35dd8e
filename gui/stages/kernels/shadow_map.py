"""Which cells of the floor lie in the shadow of triangles, and how soft its edges are.

A point at height z throws its shadow along the light of slope l:   x' = x - l_x z,   y' = y - l_y z.
"""

import numpy as np

from gui.stages.kernels import kernel, note_compiled


@kernel
def cast_into(points, triangles, corner, cell, slope, fade, cells):
    """Mark the cells below triangles by exp(-fade z), the largest where several throw shadows.

    A cell belongs to a triangle if its middle lies in it; thin triangles mark the cells along their sides.
    """
    n = cells.shape[0]
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        z = min(points[a, 2], points[b, 2], points[c, 2])
        dark = np.exp(-fade * max(z, 0.0))
        ax = (points[a, 0] - slope[0] * points[a, 2] - corner[0]) / cell - 0.5
        ay = (points[a, 1] - slope[1] * points[a, 2] - corner[1]) / cell - 0.5
        bx = (points[b, 0] - slope[0] * points[b, 2] - corner[0]) / cell - 0.5
        by = (points[b, 1] - slope[1] * points[b, 2] - corner[1]) / cell - 0.5
        cx = (points[c, 0] - slope[0] * points[c, 2] - corner[0]) / cell - 0.5
        cy = (points[c, 1] - slope[1] * points[c, 2] - corner[1]) / cell - 0.5
        twice = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        sign = 1.0 if twice >= 0.0 else -1.0
        low_x, high_x = max(int(np.ceil(min(ax, bx, cx))), 0), min(int(max(ax, bx, cx)), n - 1)
        low_y, high_y = max(int(np.ceil(min(ay, by, cy))), 0), min(int(max(ay, by, cy)), n - 1)
        for y in range(low_y, high_y + 1):
            for x in range(low_x, high_x + 1):
                if (
                    sign * ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) >= 0.0
                    and sign * ((cx - bx) * (y - by) - (cy - by) * (x - bx)) >= 0.0
                    and sign * ((ax - cx) * (y - cy) - (ay - cy) * (x - cx)) >= 0.0
                    and dark > cells[y, x]
                ):
                    cells[y, x] = dark


@kernel
def blur_into(cells, rows):
    """The mean over three cells along rows, then along columns; `rows` is memory for the first."""
    n = cells.shape[0]
    for y in range(n):
        rows[y, 0] = rows[y, n - 1] = 0.0
        for x in range(1, n - 1):
            rows[y, x] = (cells[y, x - 1] + cells[y, x] + cells[y, x + 1]) / 3.0
    for y in range(1, n - 1):
        for x in range(n):
            cells[y, x] = (rows[y - 1, x] + rows[y, x] + rows[y + 1, x]) / 3.0


@kernel
def darken_into(key, near, strength_key, strength_near, dots):
    """How dark the floor is where both shadows lie over each other, as the alpha of pixels."""
    n = key.shape[0]
    for y in range(n):
        for x in range(n):
            light = (1.0 - strength_key * key[y, x]) * (1.0 - strength_near * near[y, x])
            dots[y, x, 3] = np.uint8(255.0 * (1.0 - light) + 0.5)


class ShadowMap:
    """The shadow on a square of the floor, in memory of its own."""

    def __init__(self, n: int) -> None:
        self.key, self.near, self._rows = (np.zeros((n, n), dtype=np.float32) for _ in range(3))
        self.dots = np.zeros((n, n, 4), dtype=np.uint8)

    def cast(
        self,
        points: np.ndarray,
        triangles: np.ndarray,
        *,
        corner: np.ndarray,
        cell: float,
        slope: np.ndarray,
        fades: tuple[float, float],
        softness: int,
    ) -> None:
        """Throw the shadow along the light and the one straight down; changes both maps.

        `fades` say how quickly they lose strength with height [1/m]; their edges are softened over so many
        cells to each side.
        """
        below = np.zeros(2)
        both = (self.key, slope), (self.near, below)
        for (cells, way), fade in zip(both, fades):
            cells[:] = 0.0
            cast_into(points, triangles, corner, cell, way, fade, cells)
            for _ in range(softness):
                blur_into(cells, self._rows)

    def darken(self, strength_key: float, strength_near: float) -> None:
        """Draw both shadows into the alpha of the picture; changes the picture."""
        darken_into(self.key, self.near, strength_key, strength_near, self.dots)


def exercise() -> None:
    """Compile the kernels of pictures, or load them: none of them while a picture is waited for."""
    from gui.stages.kernels.smoothing import Smoother

    flat = np.array([(0.0, 0.0, 0.1), (1.0, 0.0, 0.1), (0.0, 1.0, 0.1)])
    shadow = ShadowMap(8)
    shadow.cast(
        flat,
        np.array([[0, 1, 2]]),
        corner=np.zeros(2),
        cell=0.1,
        slope=np.zeros(2),
        fades=(1.0, 1.0),
        softness=1,
    )
    shadow.darken(0.5, 0.5)
    Smoother().smoothed(np.full((24, 24, 4), 9, dtype=np.uint8))
    note_compiled()
