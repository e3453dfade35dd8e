"""Pendulum, crane, chains and loops of the lecture with named parameters, drawn in code."""

from dataclasses import replace
from math import atan2, cos, hypot, radians, sin

from engine.model.bodies import PlanarBody, PlanarMarker
from engine.model.elements import GROUND, Parameter, planar, put
from engine.model.forces import SpringDamper
from engine.model.joints import Prismatic, Revolute
from engine.model.shapes import Box, Rod


def lecture_model(**parameters):
    """An empty model with gravity -g and these parameters."""
    model = replace(planar(), gravity=(0.0, "-g"))
    return put(model, *(Parameter(id=id, value=x) for id, x in {"g": 9.81, **parameters}.items()))


def with_rod(model, id, length, mass, place=(0.0, 0.0), angle=0.0):
    """A slender rod with a point at both ends."""
    shape = Rod(length=length, width=0.0)
    body = PlanarBody(id=id, shape=shape, mass=mass, position=place, angle=angle)
    ends = (
        PlanarMarker(id=f"{id}_{end}", body=id, position=(f"{sign}{length}/2", 0.0))
        for end, sign in (("tail", "-"), ("head", ""))
    )
    return put(model, body, *ends)


def on_ground(model, id, x, y=0.0):
    return put(model, PlanarMarker(id=id, body=GROUND, position=(x, y)))


def pinned(model, id, i, j):
    return put(model, Revolute(id=id, marker_i=i, marker_j=j))


def chain(n):
    """n rods in a row, hinged to each other and to the ground."""
    sizes = {f"l{k}": 1.0 for k in range(1, n + 1)} | {f"m{k}": 1.0 for k in range(1, n + 1)}
    model, last = on_ground(lecture_model(**sizes), "A", 0.0), "A"
    for k in range(1, n + 1):
        model = with_rod(model, f"rod_{k}", f"l{k}", f"m{k}", (k - 0.5, 0.0))
        model = pinned(model, f"J{k}", last, f"rod_{k}_tail")
        last = f"rod_{k}_head"
    return model


def crane():
    """A trolley on a rail with spring and damper to a wall at -2 m, and a rod that hangs from it."""
    model = lecture_model(m1=10.0, m2=1.0, l=1.0, s=3000.0, k=50.0)
    trolley = PlanarBody(id="body_1", shape=Box(width=0.3, height=0.15), mass="m1")
    model = put(model, trolley, PlanarMarker(id="eye", body="body_1"))
    model = with_rod(model, "body_2", "l", "m2", (0.0, -0.5), -1.5707963267948966)
    model = on_ground(on_ground(model, "rail_start", 0.0), "wall", -2.0)
    model = put(model, Prismatic(id="rail", marker_i="rail_start", marker_j="eye"))
    model = pinned(model, "pin", "eye", "body_2_tail")
    spring = SpringDamper(
        id="spring", marker_i="wall", marker_j="eye", stiffness="s", damping="k", free_length=2.0
    )
    return put(model, spring)


def four_bar(angle=60.0):
    """Crank a, coupler b, rocker c on ground pivots d apart; the rocker counted from its pivot."""
    a, b, c, d = 1.0, 3.0, 2.5, 3.0
    model = lecture_model(a=a, b=b, c=c, d=d, m1=1.0, m2=3.0, m3=2.5)
    B = (a * cos(radians(angle)), a * sin(radians(angle)))
    e = (d - B[0], -B[1])
    L = hypot(*e)
    x = (b * b - c * c + L * L) / (2 * L)
    y = (b * b - x * x) ** 0.5
    C = (B[0] + (x * e[0] - y * e[1]) / L, B[1] + (x * e[1] + y * e[0]) / L)
    for n, (p, q, size) in enumerate((((0.0, 0.0), B, "a"), (B, C, "b"), ((d, 0.0), C, "c")), 1):
        middle = ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
        turn = atan2(q[1] - p[1], q[0] - p[0])
        model = with_rod(model, f"bar_{n}", size, f"m{n}", middle, turn)
    model = on_ground(on_ground(model, "O", 0.0), "Q", "d")
    model = pinned(model, "A", "O", "bar_1_tail")
    model = pinned(model, "D", "Q", "bar_3_tail")
    model = pinned(model, "B", "bar_1_head", "bar_2_tail")
    return pinned(model, "C", "bar_2_head", "bar_3_head")


def slider_crank(r=0.5, l=1.5, angle=60.0):
    """Crank, rod and a slider on a rail through the bearing."""
    B = (r * cos(radians(angle)), r * sin(radians(angle)))
    C = (B[0] + (l * l - B[1] ** 2) ** 0.5, 0.0)
    model = lecture_model(r=r, l=l, m1=1.0, m2=1.0, m3=2.0)
    for n, (id, p, q, size) in enumerate((("crank", (0, 0), B, "r"), ("rod", B, C, "l")), 1):
        middle = ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
        model = with_rod(model, id, size, f"m{n}", middle, atan2(q[1] - p[1], q[0] - p[0]))
    slider = PlanarBody(id="slider", shape=Box(width=0.2, height=0.1), mass="m3", position=C)
    model = put(model, slider, PlanarMarker(id="eye", body="slider"))
    model = on_ground(model, "bearing", 0.0)
    for id, i, j in (
        ("A", "bearing", "crank_tail"),
        ("B", "crank_head", "rod_tail"),
        ("C", "rod_head", "eye"),
    ):
        model = pinned(model, id, i, j)
    return put(model, Prismatic(id="S", marker_i="bearing", marker_j="eye"))
