"""Free-body diagrams as SVG text, without a window."""

from html import escape
from math import cos, hypot, pi, sin

from engine.model.elements import Id
from engine.studies.free_body.labels import HIGH
from engine.studies.free_body.scene import Arc, Arrow, Scene, full_length, scale_words
from engine.studies.free_body.wrenches import INERTIA, WEIGHT, Wrench
from engine.studies.pictures import COLOURS, FONT, GREY, INK, PAPER

BODY = "#e8ecf1"
ROUNDS = ((0.0, 0), (0.4, 0), (0.45, 255))  # share of black or white in the colours
HEAD, DOUBLE = 10.0, 7.0  # px: a head, and how far behind it the second one is
LINE = 20.0  # px of a line of the legend


def colour_of(wrench: Wrench, tones: dict[Id, int]) -> str:
    """The colour of a force: the same on both bodies."""
    if wrench.kind == WEIGHT:
        return INK
    if wrench.kind == INERTIA:
        return GREY
    return colour_of_tone(tones[wrench.source])


def colour_of_tone(tone: int) -> str:
    """The colour of an element by its number: eight, then the same darker, then lighter."""
    base, round_ = COLOURS[tone % len(COLOURS)], tone // len(COLOURS) % len(ROUNDS)
    share, towards = ROUNDS[round_]
    parts = (int(base[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round((1 - share) * part + share * towards):02x}" for part in parts)


def svg(scene: Scene, tones: dict[Id, int], title: str, legend: list[tuple[str, str]]) -> str:
    """The picture of a scene under a title; the legend tells colours and their names."""
    width, top = scene.view.width, 36.0
    height = scene.view.height + top + LINE * len(legend) + (12.0 if legend else 0.0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="{FONT}" font-size="12" fill="{INK}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        f'<text x="{width / 2:.1f}" y="24" font-size="15" text-anchor="middle">{escape(title)}</text>',
        f'<g transform="translate(0 {top:.0f})">',
    ]
    for shape in scene.shapes:
        points = " ".join(f"{x:.2f},{y:.2f}" for x, y in shape.points)
        fill = "none" if shape.is_open else BODY
        kind = "polyline" if shape.is_open else "polygon"
        parts.append(
            f'<{kind} points="{points}" fill="{fill}" stroke="{GREY}" stroke-width="1.4" '
            'stroke-linejoin="round"/>'
        )
    parts += [
        f'<circle cx="{x:.2f}" cy="{y:.2f}" r="3" fill="{PAPER}" stroke="{INK}"/>'
        for x, y in scene.centers
    ]
    parts += [_ground(x, y) for x, y in scene.ground]
    for tie in scene.ties:
        colour = colour_of_tone(tones[tie.source])
        (x0, y0), (x1, y1) = tie.a, tie.b
        parts.append(
            f'<line x1="{x0:.2f}" y1="{y0:.2f}" x2="{x1:.2f}" y2="{y1:.2f}" stroke="{colour}" '
            'stroke-width="0.8" stroke-dasharray="3 4"/>'
        )
    parts += [_arrow(arrow, colour_of(arrow.wrench, tones)) for arrow in scene.arrows]
    parts += [_arc(arc, colour_of(arc.wrench, tones)) for arc in scene.arcs]
    for label in scene.labels:
        place = f'x="{label.x + 2:.2f}" y="{label.y + HIGH - 4:.2f}"'
        words, colour = escape(label.text), colour_of(label.wrench, tones)
        parts.append(f'<text {place} fill="none" stroke="{PAPER}" stroke-width="3">{words}</text>')
        parts.append(f'<text {place} fill="{colour}">{words}</text>')
    if scene.largest[0] > 0.0:
        parts.append(_bar(scene))
    parts.append("</g>")
    for n, (colour, words) in enumerate(legend):
        y = top + scene.view.height + LINE * (n + 0.7)
        parts.append(f'<rect x="16" y="{y - 9:.1f}" width="18" height="10" fill="{colour}"/>')
        parts.append(f'<text x="42" y="{y:.1f}">{escape(words)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def head(
    tip: tuple[float, float], tail: tuple[float, float], back: float = 0.0
) -> list[tuple[float, float]]:
    """The triangle at the tip of an arrow; short arrows have small ones."""
    dx, dy = tip[0] - tail[0], tip[1] - tail[1]
    length = hypot(dx, dy) or 1.0
    ux, uy = dx / length, dy / length
    size = min(HEAD, 0.6 * length)
    x, y = tip[0] - back * ux, tip[1] - back * uy
    wide = 0.38 * size
    return [
        (x, y),
        (x - size * ux - wide * uy, y - size * uy + wide * ux),
        (x - size * ux + wide * uy, y - size * uy - wide * ux),
    ]


def arc_points(arc: Arc) -> list[tuple[float, float]]:
    """Places along an arc, anticlockwise on the screen where the moment is positive."""
    n = 24
    return [
        (
            arc.center[0] + arc.radius * cos(arc.start + arc.sweep * k / n),
            arc.center[1] - arc.radius * sin(arc.start + arc.sweep * k / n),
        )
        for k in range(n + 1)
    ]


def arc_head(arc: Arc) -> list[tuple[float, float]]:
    """The triangle at the end of an arc."""
    x, y = arc_points(arc)[-1]
    way = arc.start + arc.sweep + (pi / 2 if arc.sweep > 0.0 else -pi / 2)
    size = min(HEAD, 0.6 * abs(arc.sweep) * arc.radius)
    tip = (x + 0.5 * size * cos(way), y - 0.5 * size * sin(way))
    return head(tip, (tip[0] - 2 * HEAD * cos(way), tip[1] + 2 * HEAD * sin(way)))


def _arrow(arrow: Arrow, colour: str) -> str:
    """A line with its heads."""
    (x0, y0), (x1, y1) = arrow.tail, arrow.tip
    heads = [head(arrow.tip, arrow.tail)]
    if arrow.is_moment:
        heads.append(head(arrow.tip, arrow.tail, DOUBLE))
    line = (
        f'<line x1="{x0:.2f}" y1="{y0:.2f}" x2="{x1:.2f}" y2="{y1:.2f}" stroke="{colour}" '
        'stroke-width="2"/>'
    )
    return line + "".join(_filled(points, colour) for points in heads)


def _arc(arc: Arc, colour: str) -> str:
    """An arc with its head."""
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in arc_points(arc))
    line = f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
    return line + _filled(arc_head(arc), colour)


def _bar(scene: Scene) -> str:
    """The arrow of full length at the lower right, and what it stands for."""
    x1, y = scene.view.width - 16.0, scene.view.height - 12.0
    x0 = x1 - full_length(scene.view)
    words = escape(scale_words(scene))
    return (
        f'<path d="M{x0:.2f} {y - 4:.2f}v8m0 -4H{x1:.2f}m0 -4v8" fill="none" stroke="{GREY}"/>'
        f'<text x="{(x0 + x1) / 2:.2f}" y="{y - 6:.2f}" text-anchor="middle" fill="{GREY}">{words}</text>'
    )


def _filled(points: list[tuple[float, float]], colour: str) -> str:
    """A filled polygon."""
    listed = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    return f'<polygon points="{listed}" fill="{colour}"/>'


def _ground(x: float, y: float) -> str:
    """A piece of the ground: a line with three strokes below it."""
    strokes = "".join(f"M{x + dx:.2f} {y + 4:.2f}l-5 6" for dx in (-6, 1, 8))
    path = f"M{x - 10:.2f} {y + 4:.2f}h20{strokes}"
    return f'<path d="{path}" fill="none" stroke="{GREY}" stroke-width="1.4"/>'
