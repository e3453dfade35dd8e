"""Examples of contact where the shape matters: cams, Geneva wheels, knees."""

from dataclasses import replace
from math import asin, atan2, cos, pi, radians, sin, sqrt

import numpy as np

from assets.example_solids import BLUE, GREEN, ORANGE
from engine.editing.builder import Mechanism
from engine.formulas.resolve import resolved
from engine.model.elements import put
from engine.model.places import place_in_world

# --- of the Geneva wheel [m]
CRANK, PIN, PLAY = 0.05, 0.005, 1e-4
# --- of the knee [m, N, kg]
FEMUR, TIBIA, WIDTH = 0.42, 0.40, 0.048  # lengths of the bones, and between the condyles
CONDYLE, CUP, TROCHLEA = 0.022, 0.045, 0.048  # radii
WEIGHT, MU = 800.0, 0.0575
REST = 0.5  # s: it settles before it bends


def geneva_wheel() -> Mechanism:
    """The pin of a crank enters a slot, turns the wheel by a quarter, and leaves it at rest.

    The wheel is fastest, 2.414 times as fast as the crank, where the pin is between both shafts.
    """
    m = Mechanism("Geneva wheel", gravity=(0, 0))
    m.parameter("speed", "2*pi", unit="rad/s", low=0.0, high=20.0)
    far, half = sqrt(2.0) * CRANK, PIN + PLAY
    deep, mouth, beside = far - CRANK - 1.5 * PIN, sqrt(CRANK**2 - half**2), asin(half / CRANK)
    corners = []
    for quarter in range(4):
        slot = 0.75 * pi + 0.5 * pi * quarter
        c, s = cos(slot), sin(slot)
        for x, y in ((mouth, -half), (deep, -half), (deep, half), (mouth, half)):
            corners.append((far + c * x - s * y, s * x + c * y))
        for k in range(1, 6):  # the rim up to the next slot
            rim = slot + beside + (0.5 * pi - 2.0 * beside) * k / 6
            corners.append((far + CRANK * cos(rim), CRANK * sin(rim)))
    pin = (CRANK * cos(radians(60.0)), CRANK * sin(radians(60.0)))
    m.polygon(corners, id="wheel", color=BLUE)
    m.rod((0, 0), pin, width=0.012, id="crank", color=ORANGE)
    m.revolute("ground", "crank", (0, 0), id="shaft")
    m.revolute("ground", "wheel", (far, 0), id="axle")
    m.joint_damping("axle", 2e-4, id="brake")
    m.motion("shaft", "-speed", "speed", id="motor")
    pressing = {"law": "impact", "stiffness": 1e6, "exponent": 1.0, "damping": 200.0}
    ends = ("wheel", (far, 0)), ("crank", pin)
    m.contact(
        *ends,
        **pressing,
        shape_j="circle",
        radius_j=PIN,
        full_depth=1e-5,
        friction="none",
        id="pin",
    )
    m.settings(t_end=1.0, output_step=1e-3, method="dopri5")
    return m


def knee_in_a_squat() -> Mechanism:
    """A knee prosthesis bends from 20 to 120 degrees and back under 800 N: balls slide and roll in cups.

    A muscle pulls by a cable over the front of the femur and holds the flexion on its course; ligaments
    guide the tibia, which turns freely about the ankle. See the forces of both condyles, and their wear.
    """
    m = Mechanism("Knee in a squat", dim=3)
    bend, reach = radians(20.0), TIBIA + CONDYLE
    lean = atan2(reach * sin(bend), FEMUR + reach * cos(bend))  # of the femur
    foot = bend - lean  # of the tibia: hip above ankle
    hip = np.array([0.0, 0.0, reach * cos(foot) + FEMUR * cos(lean)])
    knee = hip + FEMUR * np.array([sin(lean), 0.0, -cos(lean)])
    up, fore = np.array([sin(foot), 0.0, cos(foot)]), np.array([cos(foot), 0.0, -sin(foot)])
    thigh, front = (hip - knee) / FEMUR, np.array([cos(lean), 0.0, sin(lean)])
    aside = np.array([0.0, 1.0, 0.0])
    m.box(hip, 0.08, 0.16, 0.05, mass=0.5, id="pelvis", color=GREEN)
    m.rod(hip, knee, width=0.03, mass=8.0, id="femur", color=BLUE)
    m.rod((0, 0, 0), TIBIA * up, width=0.03, mass=3.7, id="tibia", color=ORANGE)
    m.prismatic("ground", "pelvis", hip, axis=(0, 0, 1), id="guide")
    m.revolute("pelvis", "femur", hip, axis=(0, 1, 0), id="hip")
    m.spherical("ground", "tibia", (0, 0, 0), id="ankle")
    m.force("pelvis", hip, (0.0, 0.0, -WEIGHT), id="weight")
    pressing = {"law": "impact", "stiffness": 2.5e8, "exponent": 1.5, "damping": 1000.0}
    rubbing = {"friction": "velocity", "mu_static": MU, "mu_dynamic": MU, "dynamic_speed": 2e-3}
    for name, side in (("medial", 1.0), ("lateral", -1.0)):
        off = 0.5 * side * WIDTH * aside
        ends = ("tibia", (TIBIA + CUP) * up + off), ("femur", knee + off)
        shapes = {"shape_i": "hole", "radius_i": CUP, "shape_j": "circle", "radius_j": CONDYLE}
        m.contact(*ends, **pressing, full_depth=1e-5, **rubbing, **shapes, id=name)
        off *= 1.2
        ends = ("tibia", (TIBIA - 0.04) * up + off), ("femur", knee + off)
        ligament = {"stiffness": 3e4, "damping": 50.0, "free_length": 0.0405 + CONDYLE}
        m.spring_damper(*ends, **ligament, acts="tension", id=f"{name}_ligament")
    tissue = {"k_x": 0.0, "k_y": 0.0, "k_z": 0.0, "c_x": 1500.0, "c_y": 1500.0, "c_z": 0.0}
    m.bushing("tibia", "femur", knee, axis=up, x=fore, **tissue, turn_c_x=0.2, id="tissue")
    tendon = ("femur", knee + 0.25 * thigh + TROCHLEA * front)
    tubercle = ("tibia", (TIBIA - 0.03) * up + 0.03 * fore)
    m.cable(
        *(tendon, ("femur", knee), tubercle),
        radius=TROCHLEA,
        axis=(0, 1, 0),
        stiffness=0.0,
        damping=0.0,
        id="extensor",
    )
    _controlled(m, bend)
    m.settings(t_end=REST + 1.5, output_step=1e-3, method="ida", tolerance=1e-8)
    return m


def _controlled(m: Mechanism, bend: float) -> None:
    """Give the extensor its muscle: what carries the weight, and a controller of the flexion."""
    cable = m.model["extensor"]
    drawn = resolved(m.model)
    (_, A), (_, B) = (place_in_world(drawn, marker) for marker in (cable.pulley, cable.marker_j))
    x = A.T @ B[:, 0]
    turned = bend - atan2(x[1], x[0])
    course = f"(70 deg - 50 deg*cos(2*pi/1.5*max(t - {REST}, 0)))"
    speed = f"(50 deg*2*pi/1.5*sin(2*pi/1.5*max(t - {REST}, 0)))"
    carried = f"{WEIGHT * FEMUR / TROCHLEA:.6g}*sin(0.5*{course})"
    muscle = f"{carried} + 2e4*(angle + {turned:.12g} - {course}) + 1e3*(spin - {speed})"
    m.model = put(m.model, replace(cable, muscle=muscle))
