"""Examples of open chains and trees: robot arms, the tree of a lecture, a walking figure, a long chain."""

from math import acos, atan2, cos, pi, sin

from assets.example_solids import BLUE, GREEN, ORANGE, RED, trace
from engine.editing.builder import Mechanism
from engine.formulas.expressions import parse, to_text

LECTURE = (0, 1, 2, 1, 2, 5)  # predecessors of the six bodies; 0 is the ground


def robot_arm_in_plane() -> Mechanism:
    """An arm whose tip follows a circle: its motors turn by the inverse kinematics of two links.

    With the target at (x, y) the elbow has cos q2 = (x^2 + y^2 - a^2 - b^2) / (2 a b). Move the circle
    by its sliders; the torque curves are what the motors need.
    """
    m = Mechanism("Robot arm in the plane")
    for letter, value, unit, low, high in (
        ("a", 0.5, "m", 0.4, 0.7),
        ("b", 0.4, "m", 0.35, 0.6),
        ("radius", 0.15, "m", 0.05, 0.2),
        ("middle", 0.5, "m", 0.4, 0.6),
        ("speed", 2.0, "rad/s", 0.5, 5.0),
    ):
        m.parameter(letter, value, unit=unit, low=low, high=high)
    m.parameter("height", 0.2, unit="m", low=0.0, high=0.3)
    x, y = "(middle + radius*cos(speed*t))", "(height + radius*sin(speed*t))"
    q2 = f"acos(({x}^2 + {y}^2 - a^2 - b^2)/(2*a*b))"
    q1 = f"atan2({y}, {x}) - atan2(b*sin({q2}), a + b*cos({q2}))"
    first, second = _pose(0.65, 0.2, 0.5, 0.4)
    elbow = (0.5 * cos(first), 0.5 * sin(first))
    tip = (elbow[0] + 0.4 * cos(first + second), elbow[1] + 0.4 * sin(first + second))
    upper = m.rod((0, 0), elbow, mass=2.0, id="upper", angle=first, length="a")
    turned = first + second
    fore = m.rod(elbow, tip, mass=1.0, id="fore", angle=turned, length="b", color=ORANGE)
    m.revolute("ground", upper, (0, 0), id="shoulder")
    m.revolute(upper, fore, elbow, id="elbow")
    m.motion("shoulder", _law(f"{q1} - {first!r}"), id="shoulder_motor")  # zero is as drawn
    m.motion("elbow", _law(f"{q2} - {second!r}"), id="elbow_motor")
    trace(m, fore, tip, "tip", color=RED)
    m.settings(t_end=6.0)
    return m


def _law(text: str) -> str:
    """A formula as the program writes it, without needless brackets."""
    return to_text(parse(text))


def _pose(x: float, y: float, a: float, b: float) -> tuple[float, float]:
    """Angles of two links whose end is at a place."""
    second = acos((x * x + y * y - a * a - b * b) / (2 * a * b))
    return atan2(y, x) - atan2(b * sin(second), a + b * cos(second)), second


def robot_arm_in_space() -> Mechanism:
    """An arm of three hinges: springs and dampers in its joints bring it to rest against its weight.

    What is left is equilibrium: in each hinge the spring carries what hangs on it.
    """
    m = Mechanism("Robot arm in space", dim=3)
    m.parameter("k", 60.0, unit="N m/rad", low=30.0, high=200.0)
    m.parameter("c", 9.0, unit="N m s/rad", low=3.0, high=30.0)
    m.parameter("load", 2.0, unit="kg", low=0.5, high=5.0)
    m.cylinder((0, 0, 0), (0, 0, 0.1), 0.12, id="foot", fixed=True)
    column = m.cylinder((0, 0, 0.1), (0, 0, 0.5), 0.06, mass=6.0, id="column", color=BLUE)
    upper = m.cylinder((0, 0, 0.5), (0.5, 0, 0.5), 0.04, mass=3.0, id="upper", color=GREEN)
    fore = m.cylinder((0.5, 0, 0.5), (0.9, 0, 0.5), 0.03, mass=1.5, id="fore", color=ORANGE)
    hand = m.sphere((0.95, 0, 0.5), 0.05, mass="load", id="hand", color=RED)
    m.revolute("foot", column, (0, 0, 0.1), axis=(0, 0, 1), id="turn")
    m.revolute(column, upper, (0, 0, 0.5), axis=(0, -1, 0), id="shoulder")
    m.revolute(upper, fore, (0.5, 0, 0.5), axis=(0, -1, 0), id="elbow")
    m.weld(fore, hand, (0.9, 0, 0.5), id="grip")
    for joint, free in (("turn", "60°"), ("shoulder", "40°"), ("elbow", "-60°")):
        m.torsion_spring(joint, "k", damping="c", free_angle=free, id=f"servo_{joint}")
    trace(m, hand, (0.95, 0, 0.5), "hand_path", color=RED)
    m.settings(t_end=8.0)
    return m


def six_body_tree() -> Mechanism:
    """The tree of a lecture: body i hangs on body p(i), p = (0, 1, 2, 1, 2, 5), by hinges of any direction.

    Open the page Tree of Learn: B has a block for each predecessor, and f2 carries the branches 3 and 5.
    """
    m, places = Mechanism("Tree of six bodies", dim=3), {0: (0.0, 0.0, 0.0)}
    for n, before in enumerate(LECTURE, 1):
        x, y, z = places[before]
        end = (x + 0.5, y + 0.15 * n - 0.4, z - 0.3)
        body = m.cylinder((x, y, z), end, 0.04, mass=1.0, id=f"body_{n}")
        carrier = f"body_{before}" if before else "ground"
        m.revolute(carrier, body, (x, y, z), axis=(n, 1, 2), id=f"hinge_{n}")
        places[n] = end
    m.settings(t_end=4.0)
    return m


def walking_figure() -> Mechanism:
    """A figure walks: hips and knees turn by the inverse kinematics of feet on ellipses, half a step apart.

    A foot that moves backward as fast as the body moves on stands still for a moment, as in a cycloid.
    """
    m = Mechanism("Walking figure")
    for letter, value, unit, low, high in (
        ("stride", 0.25, "m", 0.1, 0.3),
        ("lift", 0.08, "m", 0.02, 0.12),
        ("pace", "2*pi", "rad/s", 2.0, 10.0),
    ):
        m.parameter(letter, value, unit=unit, low=low, high=high)
    for letter, value in (("thigh", 0.45), ("shank", 0.45), ("hip_height", 0.8)):
        m.parameter(letter, value, unit="m")
    trunk = m.box((0, 1.1), 0.2, 0.6, mass=40.0, id="trunk")
    m.prismatic("ground", trunk, (0, 0.8), id="path")
    m.motion("path", "stride*pace*t", id="walks")
    for side, phase, colour in (("left", 0.0, BLUE), ("right", pi, ORANGE)):
        x = f"(stride*cos(pace*t + {phase!r}))"
        y = f"(lift*sin(pace*t + {phase!r}) - hip_height)"  # of the foot, from the hip
        knee = f"acos(({x}^2 + {y}^2 - thigh^2 - shank^2)/(2*thigh*shank))"
        hip = f"atan2({y}, {x}) + atan2(shank*sin({knee}), thigh + shank*cos({knee}))"
        foot = (0.25 * cos(phase), 0.0)
        bent = acos((foot[0] ** 2 + 0.8**2 - 2 * 0.45**2) / (2 * 0.45**2))
        lean = atan2(-0.8, foot[0]) + atan2(0.45 * sin(bent), 0.45 + 0.45 * cos(bent))
        middle = (0.45 * cos(lean), 0.8 + 0.45 * sin(lean))
        end = (middle[0] + 0.45 * cos(lean - bent), middle[1] + 0.45 * sin(lean - bent))
        upper = m.rod((0, 0.8), middle, mass=8.0, id=f"{side}_thigh", color=colour, angle=lean)
        lower = m.rod(middle, end, mass=4.0, id=f"{side}_shank", color=colour, angle=lean - bent)
        m.revolute(trunk, upper, (0, 0.8), id=f"{side}_hip")
        m.revolute(upper, lower, middle, id=f"{side}_knee")
        m.motion(f"{side}_hip", _law(f"{hip} - ({lean!r})"), id=f"{side}_hip_motor")
        m.motion(f"{side}_knee", _law(f"{bent!r} - {knee}"), id=f"{side}_knee_motor")
        trace(m, lower, end, f"{side}_foot", color=colour)
    m.settings(t_end=3.0)
    return m


def chain_of_100_links() -> Mechanism:
    """A wave runs down a hanging chain of 100 links: its upper end is moved to the side and back once.

    The wave is as fast as the square root of g times the length below it: it slows down on its way, arrives
    after 2 sqrt(L/g), and throws the free end about. In joint coordinates each link costs the same.
    """
    m, n, length = Mechanism("Chain of 100 links"), 100, 0.02
    m.parameter("way", 0.1, unit="m", low=0.0, high=0.2)
    m.parameter("brevity", 0.1, unit="s", low=0.08, high=0.11)
    before = m.body((0.0, 0.0), mass=1.0, inertia=0.01, id="hand")
    m.prismatic("ground", before, (0.0, 0.0), id="rail")
    m.motion("rail", "way*exp(-((t - 0.6)/brevity)^2)", id="shake")
    for k in range(n):
        top, end = (0.0, -k * length), (0.0, -(k + 1) * length)
        colour = ORANGE if k % 10 == 9 else BLUE
        link = m.rod(top, end, mass=0.01, id=f"link_{k + 1}", color=colour)
        m.revolute(before, link, top, id=f"pin_{k + 1}")
        before = link
    trace(m, before, (0.0, -n * length), "end", color=RED)
    m.marker("link_50", (0.0, -50 * length), id="middle")
    m.settings(t_end=4.0)
    return m
