"""The sizes of a shape as lines between points of its body, for the labels on the stage."""

from typing import Any, NamedTuple

Point = tuple[float, float, float]
ANGLE = "angle"  # the label of a link in the plane that is no size of its shape


class Dimension(NamedTuple):
    """One size: its field of the shape, and the two points of the body between which it is [m]."""

    field: str
    a: Point
    b: Point
    is_beside: bool = True  # the line is drawn beside the body, not on it


def dimensions_of(shape: Any, dim: int) -> tuple[Dimension, ...]:
    """The sizes of a shape in numbers that can be seen; those out of the plane only in space."""
    kind = getattr(shape, "kind", "")
    if kind in ("rod", "beam"):
        half = shape.length / 2.0
        return (Dimension("length", (-half, 0.0, 0.0), (half, 0.0, 0.0)),)
    if kind == "box":
        return _of_box(shape.width / 2.0, shape.height / 2.0, shape.thickness / 2.0, dim)
    if kind in ("disc", "sphere"):
        return (Dimension("radius", (0.0, 0.0, 0.0), (shape.radius, 0.0, 0.0), is_beside=False),)
    if kind in ("cylinder", "capsule"):
        r, half = shape.radius, shape.length / 2.0
        return (
            Dimension("radius", (0.0, 0.0, half), (r, 0.0, half), is_beside=False),
            Dimension("length", (r, 0.0, -half), (r, 0.0, half)),
        )
    return ()


def _of_box(w: float, h: float, t: float, dim: int) -> tuple[Dimension, ...]:
    """Half the sizes of a box as lines along its edges."""
    front = 0.0 if dim == 2 else t
    width = Dimension("width", (-w, -h, front), (w, -h, front))
    height = Dimension("height", (w, -h, front), (w, h, front))
    if dim == 2:
        return width, height
    return width, height, Dimension("thickness", (w, -h, -t), (w, -h, t))
