"""Draw docs/images/gimbal-lock.svg: three gimbal rings, free and locked.

The rings are those of the sequence 3-2-1. The outer ring turns by phi about the vertical, the
middle ring by theta about an axis in the outer one, the inner ring by psi about one in the middle.
Everything is made of small flat faces, sorted by depth and painted from back to front.

    .venv/bin/python docs/make_gimbal_picture.py
"""

import itertools
from pathlib import Path

import numpy as np

from rotations import matrix

WIDTH, HEIGHT, SCALE = 1040, 660, 62.0  # SCALE: pixels per unit length
OUTER, MIDDLE, INNER = "#2b6cb0", "#d97706", "#b3265e"  # ring colours; ink and paper below
INK, GREY, PAPER, EDGE = "#1f2933", "#6b7280", "#fcfcfa", "#d5d8dc"
FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"

VIEW = matrix.elementary(1, np.radians(-67)) @ matrix.elementary(3, np.radians(-124))
LIGHT = np.array([-0.45, 0.65, 0.62]) / np.linalg.norm([-0.45, 0.65, 0.62])  # seen from the eye


class Scene:
    """Faces and lines of one drawing, each with its depth; centre is its place on the page."""

    def __init__(self, centre):
        self.centre = np.array(centre)
        self.pieces = []  # (depth, svg text)

    def project(self, points):
        """Page coordinates of points in space, and their distance towards the eye."""
        seen = np.atleast_2d(points) @ VIEW.T
        page = self.centre + SCALE * seen[:, :2] * (1.0, -1.0)
        return page, seen[:, 2]

    def face(self, corners, colour, two_sided=False):
        """A flat face, shaded by its direction to the light; hidden if it looks away."""
        corners = np.asarray(corners)
        normal = VIEW @ np.cross(corners[1] - corners[0], corners[2] - corners[1])
        normal /= np.linalg.norm(normal)
        if normal[2] <= 0.0:
            if not two_sided:
                return
            normal = -normal
        page, depth = self.project(corners)
        fill = shade(colour, 0.52 + 0.6 * max(0.0, float(normal @ LIGHT)))
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in page)
        svg = f'<polygon points="{points}" fill="{fill}" stroke="{fill}"/>'
        self.pieces.append((depth.mean(), svg))

    def line(self, start, end, colour, width=2.0, dash=None, nearer=0.0):
        """A straight line in short pieces, so that rings can cover parts of it.

        With dash 0 only the even pieces are drawn, with dash 1 only the odd ones.
        """
        count = max(2, int(np.linalg.norm(np.subtract(end, start)) / 0.14))
        points = np.linspace(start, end, count + 1)
        for n, (a, b) in enumerate(itertools.pairwise(points)):
            if dash is not None and n % 2 != dash:
                continue
            (p, q), depth = self.project([a, b])
            svg = (
                f'<line x1="{p[0]:.1f}" y1="{p[1]:.1f}" x2="{q[0]:.1f}" y2="{q[1]:.1f}" '
                f'stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
            )
            self.pieces.append((depth.mean() + nearer, svg))

    def arrow_head(self, tip, direction, colour, size=0.26):
        """A filled arrow head drawn in the plane of the page."""
        page, depth = self.project([tip, np.subtract(tip, direction)])
        along = page[0] - page[1]
        along /= np.linalg.norm(along) or 1.0
        across = np.array([-along[1], along[0]])
        back = page[0] - SCALE * size * along
        corners = [
            page[0],
            back + SCALE * 0.38 * size * across,
            back - SCALE * 0.38 * size * across,
        ]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        self.pieces.append((depth[0] + 0.05, f'<polygon points="{points}" fill="{colour}"/>'))

    def label(self, at, text, colour, shift=(0, 0), size=21, italic=True):
        """Text at a point in space, with a paper-coloured rim that keeps it readable."""
        (page,), _ = self.project([at])
        style = ' font-style="italic"' if italic else ""
        x, y = page + shift
        svg = (
            f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}"{style} font-weight="600" '
            f'fill="{colour}" text-anchor="middle">{text}</text>'
        )
        rim = svg.replace(
            "<text", f'<text stroke="{PAPER}" stroke-width="5" stroke-linejoin="round"'
        )
        self.pieces.append((99.0, rim + svg))

    def svg(self):
        """All pieces, the farthest first."""
        return "\n".join(text for _, text in sorted(self.pieces, key=lambda piece: piece[0]))


def shade(colour, light):
    """A colour darkened (light < 1) or whitened (light > 1)."""
    rgb = np.array([int(colour[n : n + 2], 16) for n in (1, 3, 5)], dtype=float)
    rgb = rgb * light if light <= 1.0 else rgb + (255.0 - rgb) * min(0.6, light - 1.0) * 1.6
    return "#" + "".join(f"{round(min(255.0, value)):02x}" for value in rgb)


def draw_ring(scene, first, second, radius, colour, width=0.17, height=0.24):
    """A ring of rectangular section in the plane of two perpendicular unit vectors."""
    normal = 0.5 * height * np.cross(first, second)
    angle = np.linspace(0.0, 2.0 * np.pi, 81)
    spoke = np.outer(np.cos(angle), first) + np.outer(np.sin(angle), second)
    inside, outside = (radius - width / 2) * spoke, (radius + width / 2) * spoke
    for n in range(len(angle) - 1):
        a, b, c, d = inside[n], inside[n + 1], outside[n + 1], outside[n]
        scene.face([a + normal, d + normal, c + normal, b + normal], colour)
        scene.face([a - normal, b - normal, c - normal, d - normal], colour)
        scene.face([d - normal, c - normal, c + normal, d + normal], colour)
        scene.face([b - normal, a - normal, a + normal, b + normal], colour)


def draw_pin(scene, start, end, colour, radius=0.1):
    """A round pin between two points."""
    axis = np.subtract(end, start) / np.linalg.norm(np.subtract(end, start))
    side = np.cross(axis, [0.3, 0.5, 0.8])
    side /= np.linalg.norm(side)
    angle = np.linspace(0.0, 2.0 * np.pi, 13)
    rim = radius * (np.outer(np.cos(angle), side) + np.outer(np.sin(angle), np.cross(axis, side)))
    for u, v in itertools.pairwise(rim):
        scene.face([start + u, start + v, end + v, end + u], colour)
        scene.face([np.array(end), end + u, end + v], colour)
        scene.face([np.array(start), start + v, start + u], colour)


def draw_plane(scene, R):
    """A paper aeroplane whose nose points along the body's x axis: the body in the rings."""
    nose, tail = [1.15, 0, 0.05], [-0.85, 0, 0.05]
    left, right, keel = [-0.95, 0.8, 0.16], [-0.95, -0.8, 0.16], [-0.8, 0, -0.34]
    for corners, colour in (
        ((nose, left, tail), "#9aa5b1"),
        ((nose, tail, right), "#9aa5b1"),
        ((nose, tail, keel), "#7b8794"),
    ):
        scene.face(np.array(corners) @ R.T, colour, two_sided=True)


def draw_turn(scene, axis, at, colour, text, shift):
    """A curved arrow around an axis, with the name of its angle."""
    side = np.cross(axis, [0.31, -0.52, 0.79])
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    angle = np.radians(np.linspace(20, 310, 40))
    arc = at * np.asarray(axis) + 0.34 * (
        np.outer(np.cos(angle), side) + np.outer(np.sin(angle), other)
    )
    for a, b in itertools.pairwise(arc):
        scene.line(a, b, colour, 2.4, nearer=0.02)
    scene.arrow_head(arc[-1] + 0.6 * (arc[-1] - arc[-4]), arc[-1] - arc[-4], colour, 0.2)
    scene.label(at * np.asarray(axis), text, colour, shift)


def draw_gimbal(scene, phi, theta, psi):
    """The three rings of 3-2-1 with their pins and the body; returns the three axes."""
    first = np.array([0.0, 0.0, 1.0])
    turned = matrix.elementary(3, phi)
    tilted = turned @ matrix.elementary(2, theta)
    R = tilted @ matrix.elementary(1, psi)
    second, third = turned[:, 1], tilted[:, 0]
    draw_ring(scene, first, second, 3.0, OUTER)
    draw_ring(scene, second, third, 2.45, MIDDLE)
    draw_ring(scene, third, R[:, 1], 1.9, INNER)
    for side in (-1.0, 1.0):
        draw_pin(scene, side * 3.08 * first, side * 3.45 * first, GREY)
        draw_pin(scene, side * 2.5 * second, side * 2.95 * second, OUTER)
        draw_pin(scene, side * 1.95 * third, side * 2.4 * third, MIDDLE)
        draw_pin(scene, side * 1.1 * third, side * 1.84 * third, INNER, 0.05)
    draw_plane(scene, R)
    return first, second, third


def free_panel():
    """Three axes in three directions: every turn can be followed."""
    scene = Scene((268, 345))
    first, second, third = draw_gimbal(scene, *np.radians([-14.0, 22.0, -38.0]))
    for axis, colour, length in ((first, OUTER, 4.2), (second, MIDDLE, 3.75), (third, INNER, 3.9)):
        scene.line(-3.5 * axis, length * axis, colour, 2.2, dash=0)
        scene.arrow_head((length + 0.12) * axis, axis, colour)
    draw_turn(scene, first, 3.85, OUTER, "φ", (36, 6))
    draw_turn(scene, second, 3.4, MIDDLE, "θ", (6, 44))
    draw_turn(scene, third, 3.5, INNER, "ψ", (-8, 44))
    return scene.svg()


def locked_panel():
    """The inner axis has come to lie on the outer one: one direction is left without a ring."""
    scene = Scene((778, 345))
    first, second, third = draw_gimbal(scene, *np.radians([-14.0, 90.0, -38.0]))
    for colour, dash in ((OUTER, 0), (INNER, 1)):  # one line, two axes
        scene.line(-3.5 * first, 4.75 * first, colour, 2.2, dash=dash)
    scene.arrow_head(4.87 * first, first, OUTER)
    scene.line(-3.5 * second, 3.75 * second, MIDDLE, 2.2, dash=0)
    scene.arrow_head(3.87 * second, second, MIDDLE)
    draw_turn(scene, first, 4.4, OUTER, "φ", (36, 4))
    draw_turn(scene, third, -3.85, INNER, "ψ", (36, 10))  # third = -first
    draw_turn(scene, second, 3.4, MIDDLE, "θ", (6, 44))
    missing = np.cross(second, first)
    scene.line(-3.4 * missing, 3.9 * missing, GREY, 2.0, dash=0)
    scene.arrow_head(4.02 * missing, missing, GREY)
    scene.label(3.9 * missing, "no ring turns", GREY, (8, 34), 15, italic=False)
    scene.label(3.9 * missing, "about this axis", GREY, (8, 53), 15, italic=False)
    return scene.svg()


def text(x, y, words, size, colour=INK, weight=400):
    """A centred line of text on the page."""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{colour}" '
        f'text-anchor="middle">{words}</text>'
    )


def page():
    """The whole picture as SVG text."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="{FONT}" role="img">',
        "<title>Gimbal rings of the sequence 3-2-1, free and locked</title>",
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="14" fill="{PAPER}" '
        f'stroke="{EDGE}" stroke-width="1.5"/>',
        f'<line x1="520" y1="30" x2="520" y2="{HEIGHT - 30}" stroke="{EDGE}" stroke-width="1.5"/>',
        text(268, 44, "Free", 24, INK, 700),
        text(772, 44, "Gimbal lock", 24, INK, 700),
        '<g stroke-width=".6">',
        free_panel(),
        locked_panel(),
        "</g>",
        text(268, 612, "three axes in three directions", 17),
        text(268, 635, "the rings can follow every turn of the body", 15, GREY),
        text(772, 612, "θ = 90°: outer and inner axis are one", 17),
        text(772, 635, "the rings can follow only two of three directions", 15, GREY),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    path = Path(__file__).parent / "images" / "gimbal-lock.svg"
    path.parent.mkdir(exist_ok=True)
    path.write_text(page(), encoding="utf-8")
    print(f"{path} ({path.stat().st_size / 1000:.0f} kB)")
