"""The knee of the gallery drawn as a user would, by mouse, keys and forms; for tests and pictures.

The pulley's x axis goes down the femur and that of the tendon's end down the tibia, so that the angle
of the muscle is the flexion itself.
"""

from math import atan2, degrees

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.model.elements import GROUND, Model
from tests.gui.form_hand import FormHand
from tests.gui.space_stage_hand import SpaceStageHand

ENTER, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Escape
SHIFT, LEFT = Qt.KeyboardModifier.ShiftModifier, Qt.MouseButton.LeftButton
COURSE = "(70 deg - 50 deg*cos(2*pi/1.5*max(t - 0.5, 0)))"
SPEED = "(50 deg*2*pi/1.5*sin(2*pi/1.5*max(t - 0.5, 0)))"
MUSCLE = f"7000*sin(0.5*{COURSE}) + 2e4*(angle - {COURSE}) + 1e3*(spin - {SPEED})"
NEAR_KNEE = 0.3  # m from the far end of both bones: where the mouse takes them


class KneeHand(FormHand, SpaceStageHand):
    """A hand in space that fills in properties too."""

    def __init__(self, window, qtbot):
        super().__init__(window)
        self.qtbot = qtbot

    def on(self, body: str, *place: float) -> tuple[float, ...]:
        """A place along the axes of a body of this name, in the world."""
        placement = self.stage.scene.placement
        return tuple(placement.to_world(self.id_of(body), place))

    def id_of(self, body: str) -> str:
        """The id of the body of this name."""
        (id,) = (e.id for e in self.window.document.model.of("body") if e.label == body)
        return id

    def point_on(self, name: str) -> str:
        """Which point of the selected joint or force is on the body of this name, or on the ground."""
        model = self.window.document.model
        one = model[self.window.selection.ids[0]]
        for field in ("marker_i", "marker_j"):
            body = model[getattr(one, field)].body
            if name == (body if body == GROUND else model[body].label):
                return field
        raise AssertionError(f"{one.label} is not on {name}")


def draw_knee(hand: KneeHand, known: Model) -> None:
    """The bones, their joints, the weight, both condyles, ligaments, tissue and the extensor."""
    hand.look_at((0.05, 0.0, 0.42), 1.1)
    draw_bones(hand, known)
    draw_joints(hand, known)
    for name, side in (("medial", 1.0), ("lateral", -1.0)):
        draw_condyle(hand, name, 0.024 * side)
        draw_ligament(hand, f"{name}_ligament", 0.0288 * side)
    draw_tissue(hand)
    draw_extensor(hand)
    hand.hit(ESCAPE, times=3)
    hand.fill(settings__t_end="2", settings__output_step="1e-3", settings__method="ida")
    hand.fill(settings__tolerance="1e-8")


def draw_bones(hand: KneeHand, known: Model) -> None:
    """A box for the pelvis and two rods; their measures, masses and places are typed."""
    hand.hit(Qt.Key.Key_B)
    hand.drag((-0.04, -0.3, 0.0), (0.04, -0.14, 0.0))
    hand.click(0.04, -0.14, 0.05)
    name_it(hand, "pelvis")
    hand.fill(shape__width="0.08", shape__height="0.16", shape__thickness="0.05", mass="0.5")
    put_at(hand, known["pelvis"])
    for name, y, length, mass in (("femur", 0.3, "0.42", "8"), ("tibia", -0.3, "0.4", "3.7")):
        hand.hit(Qt.Key.Key_L)
        hand.click(0.0, y, 0.0)
        hand.move(0.0, y, 0.2)
        hand.type("z")
        hand.type(length)
        hand.hit(ENTER)
        name_it(hand, name)
        hand.fill(shape__width="0.03", shape__thickness="0.03", mass=mass)
        put_at(hand, known[name])
    hand.hit(ESCAPE)


def name_it(hand: KneeHand, name: str) -> None:
    """Type the name of what was drawn last."""
    hand.rows()
    line = hand.window.properties.name
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, name)
    QTest.keyClick(line, ENTER)


def put_at(hand: KneeHand, known) -> None:
    """Type where a body is."""
    hand.fill(position=tuple(f"{x:.12g}" for x in known.position))
    turn_to(hand, known)


def turn_to(hand: KneeHand, known) -> None:
    """Type how far a body is turned about y."""
    w, _, y, _ = known.orientation
    hand.fill(orientation=("0", f"{degrees(2.0 * atan2(y, w)):.12g}", "0"))


def draw_joints(hand: KneeHand, known: Model) -> None:
    """The guide of the pelvis, the hip, the ankle, and the weight."""
    hand.hit(Qt.Key.Key_P)
    top = hand.on("pelvis", 0.0, 0.0, 0.025)
    hand.move(*top)
    hand.type("z")
    hand.click(*top)
    hand.hit(Qt.Key.Key_R)
    below = hand.on("femur", -0.1835, 0.0, 0.0)  # a hair under the pelvis
    hand.move(*below)
    hand.type("y")
    hand.click(*below)
    hand.fill_point(hand.point_on("pelvis"), position=("0", "0", "0"))
    hand.fill_point(hand.point_on("femur"), position=("-shape.length/2", "0", "0"))
    hand.hit(ESCAPE, times=2)
    hand.click(*hand.on("femur", 0.0, 0.0, 0.0))
    turn_to(hand, known["femur"])
    hand.hit(Qt.Key.Key_S)
    hand.click(*hand.on("tibia", -0.2, 0.0, 0.0))
    hand.hit(Qt.Key.Key_F)
    hand.press(*top)
    hand.move(0.0, 0.0, 0.92, buttons=LEFT)
    hand.release(0.0, 0.0, 0.92)
    hand.fill(f_x="0", f_y="0", f_z="-800")


def between_bones(hand: KneeHand, key, held) -> None:
    """Press on the tibia, release on the femur."""
    hand.hit(key, held)
    hand.drag(hand.on("tibia", 0.1, 0.0, 0.015), hand.on("femur", 0.1, 0.0, 0.015))


def draw_condyle(hand: KneeHand, name: str, y: float) -> None:
    """A ball of the femur in a cup of the tibia."""
    between_bones(hand, Qt.Key.Key_T, SHIFT)
    name_it(hand, name)
    hand.fill(law="impact", friction="velocity", shape_i="hole", shape_j="circle")
    hand.fill(radius_i="0.045", radius_j="0.022", stiffness="2.5e8", damping="1000")
    hand.fill(mu_static="0.0575", mu_dynamic="0.0575", full_depth="1e-5", dynamic_speed="2e-3")
    hand.fill(wear_side=name, wear_coefficient="1.3e-6 mm^3/N/m")
    hand.fill_point("marker_i", position=("0.245", f"{y}", "0"))
    hand.fill_point("marker_j", position=("shape.length/2", f"{y}", "0"))


def draw_ligament(hand: KneeHand, name: str, y: float) -> None:
    """A spring that only pulls."""
    between_bones(hand, Qt.Key.Key_H, Qt.KeyboardModifier.NoModifier)
    name_it(hand, name)
    hand.fill(stiffness="3e4", damping="50", free_length="0.0625", acts="tension")
    hand.fill_point("marker_i", position=("0.16", f"{y}", "0"))
    hand.fill_point("marker_j", position=("shape.length/2", f"{y}", "0"))


def draw_tissue(hand: KneeHand) -> None:
    """What damps the tibia across its length; it is clicked on the femur, and then tied to the tibia."""
    hand.hit(Qt.Key.Key_B, SHIFT)
    hand.click(*hand.on("femur", 0.1, 0.0, 0.015))
    name_it(hand, "tissue")
    hand.fill(k_x="0", k_y="0", k_z="0", c_x="1500", c_y="1500", c_z="0", turn_c_x="0.2")
    hand.fill_point("marker_i", body=hand.id_of("tibia"))
    hand.fill_point("marker_i", position=("shape.length/2 + 0.022", "0", "0"))
    hand.fill_point("marker_i", orientation=("0", "90", "0"))
    hand.fill_point("marker_j", position=("shape.length/2", "0", "0"))


def draw_extensor(hand: KneeHand) -> None:
    """A cable from the femur over its own front to the tibia, with a muscle that follows the flexion."""
    hand.hit(Qt.Key.Key_W, SHIFT)
    hand.click(*hand.on("femur", -0.04, 0.0, 0.0))
    hand.click(*hand.on("femur", 0.12, 0.0, 0.0))
    hand.click(*hand.on("tibia", 0.1, 0.0, 0.0))
    name_it(hand, "extensor")
    hand.fill(radius="0.048", stiffness="0", damping="0", muscle=MUSCLE)
    hand.fill_point("marker_i", position=("-0.04", "0", "0.048"))
    hand.fill_point("marker_j", position=("0.17", "0", "-0.03"), orientation=("0", "180", "0"))
    hand.fill_point("pulley", position=("shape.length/2", "0", "0"), orientation=("-90", "0", "0"))
    hand.fill(way="anticlockwise")
