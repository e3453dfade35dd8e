"""Examples of many bodies that touch each other: nobody names the pairs."""

from assets.example_solids import BLUE, GREEN, ORANGE
from engine.editing.builder import Mechanism

# --- of the dominoes [m, kg]
DOMINOES, APART, TALL, THICK = 8, 0.026, 0.048, 0.008
# --- of the discs in the box
RADIUS, COLUMNS, LAYERS = 0.05, 3, 4


def dominoes() -> Mechanism:
    """A ball hits the first of eight dominoes, each of which knocks over the next: a wave of steady speed.

    One contact on the ground lets everything touch everything: corners on faces, feet on the floor.
    """
    m = Mechanism("Dominoes")
    ball = 0.006
    m.disc((-0.03, TALL), ball, mass=0.01, id="ball", velocity=(0.6, 0.2), color=ORANGE)
    for k in range(DOMINOES):
        color = BLUE if k % 2 == 0 else GREEN
        m.box((APART * k, 0.5 * TALL), THICK, TALL, mass=0.01, id=f"domino_{k + 1}", color=color)
    m.contact_all(
        *("ground", (-0.06, 0.0)),
        law="impact",
        stiffness=2e4,
        exponent=1.0,
        damping=5.0,
        full_depth=2e-5,
        friction="velocity",
        mu_static=0.5,
        mu_dynamic=0.4,
        id="touching",
    )
    m.settings(t_end=0.6, output_step=0.002, method="dop853")
    return m


def discs_in_a_box() -> Mechanism:
    """Twelve discs fall into a box, knock against each other and come to rest in layers.

    One contact on the ground is about all pairs; `python -m bench contact` does the same with a hundred.
    """
    m = Mechanism("Discs in a box")
    wide = 2.0 * RADIUS * COLUMNS + 0.06
    wall = 0.04
    for id, x in (("left", -0.5 * (wide + wall)), ("right", 0.5 * (wide + wall))):
        m.box((x, 0.35), wall, 0.7, mass=1.0, fixed=True, id=id)
    for k in range(COLUMNS * LAYERS):
        layer, column = divmod(k, COLUMNS)
        aside = 0.012 if layer % 2 else -0.012
        x = (column - 0.5 * (COLUMNS - 1)) * (2.0 * RADIUS + 0.005) + aside
        color = (BLUE, GREEN, ORANGE)[k % 3]
        m.disc((x, 0.08 + 0.115 * layer), RADIUS, mass=0.1, id=f"disc_{k + 1}", color=color)
    m.contact_all(
        *("ground", (0.0, 0.0)),
        law="impact",
        stiffness=5e4,
        exponent=1.5,
        damping=8.0,
        full_depth=1e-3,
        friction="velocity",
        mu_static=0.3,
        mu_dynamic=0.3,
        id="touching",
    )
    m.settings(t_end=1.2, output_step=0.005, method="dop853")
    return m
