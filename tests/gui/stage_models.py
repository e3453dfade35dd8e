"""A model with each kind of element of the plane, and examples by the name of their file."""

from assets import example_paths
from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.model.elements import put
from engine.model.tracers import Tracer


def every_kind():
    """A model with each kind of element that exists in the plane."""
    m = Mechanism("Everything")
    m.parameter("c", 2.0)
    a, b = m.rod((0, 0), (1, 0), mass=1.0), m.rod((1, 0), (2, 0), mass=1.0)
    disc, box = m.disc((0, 1), 0.2), m.box((2, 1), 0.4, 0.2)
    plate = m.polygon([(3, 0), (4, 0), (3, 1)])
    bob, wall = m.particle((3, 2)), m.box((4, 2), fixed=True)
    pin, elbow = m.revolute("ground", a, (0, 0)), m.revolute(a, b, (1, 0))
    m.weld(plate, box, (3, 1))
    rail = m.prismatic("ground", box, (2, 1))
    m.massless_rod((bob, (3, 2)), (plate, (4, 0)))
    m.point_on_line(plate, b, (2, 0), axis=(1, 0.2))
    m.point_on_circle((plate, (3, 0)), (bob, (3, 2)))
    m.rolling_disc("ground", disc, (0, 0.8), (0, 1), radius=0.2)
    axle = m.revolute("ground", disc, (0, 1))
    m.gear(pin, axle, 0.5, 0.5)
    m.rack_and_pinion(axle, rail, 0.2)
    m.knife_edge("ground", plate, (3.3, 0.3))
    m.motion(pin, "c*t")
    m.spring((a, (0.5, 0)), ("ground", (0.5, 1)))
    m.damper((b, (1.5, 0)), (wall, (4, 2)))
    m.spring_damper((bob, (3, 2)), (box, (2, 1)))
    m.general_force((a, (0.2, 0)), (b, (1.2, 0)), "10*rate")
    m.bushing(plate, "ground", (3, 0))
    m.torsion_spring(elbow)
    m.joint_damping(pin)
    m.joint_limits(pin, -1.0, 1.0)
    m.joint_limits(rail, -0.5, 0.5)
    m.actuator(elbow, "2*sin(t)")
    m.force(plate, (4, 0), (10.0, "3*t"))
    m.force(b, (2, 0), (0.0, 0.0), axes="body")
    m.torque(b, ((0.0, 0.0), (1.0, -2.0)))
    m.contact(("ground", (0, -0.5)), (disc, (0, 1)))
    m.contact_all("ground", (0, -0.5), only=disc)
    m.joint_friction(elbow, mu=0.1, radius=0.01)
    add_states(m, a, b, elbow)
    m.air_drag(plate, (3.5, 0.2), wind_x="c*t")
    m.constraint(plate, (3.4, 0.2), formula="y - 0.2")
    m.cable((a, (0.6, 0)), ("ground", (0.9, 1.4)), (box, (2, 1)))
    m.model = put(m.model, Tracer(id="pen", marker=m.marker(plate, (3.2, 0.2))))
    m.model, _ = edits.trigger(m.model, (a, (0.7, 0)), (box, (2, 1)))
    m.marker(b, (1.7, 0))
    return m.model


def add_states(m, a, b, elbow):
    """Forces with states of their own, on two rods and the joint between them."""
    m.maxwell((a, (0.6, 0)), ("ground", (0.6, 2)))
    m.state_force((a, (0.3, 0)), (b, (1.3, 0)), law="-z1", z1_rate="distance - z1")
    m.hydraulic_cylinder(("ground", (2, 2)), (b, (1.8, 0)), stroke=1.0)
    m.dc_motor(elbow)
    m.controller(elbow)


def example(stem):
    """The path of an example."""
    return next(p for p in example_paths().values() if p.stem == stem)
