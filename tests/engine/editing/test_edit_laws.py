"""Laws of edits on all planar models of the gallery: copies, mirrors, turns and restarts move alike."""

from dataclasses import fields, replace
from math import cos, hypot, pi, sin

import numpy as np
import pytest

import assets
from engine.compiling.checks import problems
from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import dumps, load
from engine.formulas.expressions import value
from engine.formulas.resolve import resolved
from engine.model.bodies import PlanarBody
from engine.model.elements import Model, planar, put, remove, spatial
from engine.model.shapes import Beam
from engine.running.simulate import run

PLANAR = [  # a typed constraint is written in the world: it stays where it is when bodies are moved
    p.stem
    for p in sorted(assets.EXAMPLES.glob("*.json"))
    if load(p).dim == 2 and not any(e.kind == "constraint" for e in load(p))
]
FRAMES = 40  # of each run: far from chaos, and every motor has moved


def everything() -> Model:
    """A planar mechanism with one of every kind that the gallery lacks."""
    m = Mechanism("Everything", gravity=(1.0, -9.81))
    base = m.box((0, 0), 1.0, 0.5, mass=5.0, center=(0.1, 0.05), spin=0.3, velocity=(0.1, 0.2))
    wheel = m.disc((0.3, 0.2), 0.1, mass=1.0)
    rack = m.box((0.3, 0.3), 0.6, 0.04, mass=0.5)
    plate = m.polygon([(0, -1), (1, -1.5), (0.5, -0.5)])
    bob = m.particle((2, -1), 0.5, velocity=(0.5, 0.0))
    hinge = m.revolute(base, wheel, (0.3, 0.2))
    slide = m.prismatic(base, rack, (0.3, 0.3), angle=0.1)
    m.rack_and_pinion(hinge, slide, 0.1)
    m.bushing("ground", base, (0, 0), k_x=200.0, k_y=300.0, turn_k_z=5.0)
    m.torsion_spring(hinge, 2.0, free_angle=0.4, preload=0.1, spring_curve="x^3", acts="tension")
    m.joint_limits(slide, -0.2, 0.3, stiffness=500.0, damping=1.0, depth=0.01)
    m.actuator(hinge, "0.2*sin(3*t) - 0.1*speed + 0.05*angle")
    m.actuator(slide, "0.3*cos(t) - 0.2*rate + 0.1*distance")
    m.general_force((base, (0.5, 0)), (plate, (0.5, -0.8)), "2 - distance + 0.3*angle - 0.1*speed")
    m.general_force((base, (0, 0)), (plate, (0.5, -1)), "0.2*angle + 0.1*sin(t)", acts="torque")
    for axes in ("marker_i", "marker_j", "world"):
        parts = {"f_x": "sin(t)", "f_y": 0.4, "t_z": "0.1*t", "axes": axes}
        m.general_force((base, (0.2, 0.1)), (plate, (0.5, -0.9)), acts="components", **parts)
    m.spring((plate, (1, -1.5)), (bob, (2, -1)), stiffness=30.0)
    m.massless_rod(("ground", (2, 1)), (bob, (2, -1)))
    m.force(plate, (0.5, -0.5), (1.0, "2*sin(4*t)"), axes="body")
    m.force(bob, (2, -1), (0.3, 0.1))
    m.torque(plate, "0.2*cos(t)")
    return m.model


MODELS = {**{name: load(assets.EXAMPLES / f"{name}.json") for name in PLANAR}, "all": everything()}


@pytest.fixture(params=MODELS, scope="module")
def model(request):
    """Each model in turn."""
    return MODELS[request.param]


def moved_ids(model):
    """All bodies."""
    return [body.id for body in model.of("body")]


def short_run(model, steps=FRAMES):
    """The first frames of a run, one for each step of the integrator."""
    step = float(resolved(model).settings.step)
    return run(model, t_end=steps * step, output_step=step)


def places(results):
    """x, y, angle of all mass centres, (frames, bodies, 3)."""
    q, layout, ids = results.q, results.compiled.layout, results.compiled.body_ids
    found = np.concatenate([q[:, layout.positions], q[:, layout.orientations]], axis=2)
    return found[:, [ids.index(body.id) for body in results.model.of("body") if body.id in ids]]


def without_formulas(model):
    """The model without forces in world axes that are formulas: turned there and back they are longer."""
    vectors = {e.id: [getattr(e, name) for name in e.vector] for e in model.of("force")}
    return remove(model, *(id for id, v in vectors.items() if any(isinstance(x, str) for x in v)))


def nearly(model, other):
    """Whether two models differ by rounding alone."""
    return _raw(model) == pytest.approx(_raw(other), abs=1e-12)


def _raw(model):
    """All numbers of a model in a row; everything else must be equal as text."""
    numbers = []

    def walk(value):
        if isinstance(value, float):
            numbers.append(value)
            return "#"
        if isinstance(value, tuple):
            return tuple(map(walk, value))
        if hasattr(value, "__dataclass_fields__"):
            return (type(value).__name__, *(walk(getattr(value, f.name)) for f in fields(value)))
        return value

    shape = tuple(walk(e) for e in model)
    numbers.append(float(hash(shape) % 10**6))
    return numbers


# --- copies


def test_what_is_pasted_is_sound_and_deleting_it_leaves_the_model_as_it_was(model):
    ids = list(model.elements)
    after, new = edits.pasted(model, edits.clip(model, ids), (3.0, 0.5))
    assert problems(after) == []
    assert all(after[id] is model[id] for id in model.elements)
    assert len([id for id in new if after[id].family == "body"]) == len(model.of("body"))
    assert edits.deleted(after, new) == model


def test_a_copy_alone_in_a_new_model_is_the_model(model):
    copy, _ = edits.pasted(replace(model, elements={}), edits.clip(model, list(model.elements)))
    assert dumps(copy) == dumps(model)


def test_a_copy_moves_as_the_original_does(model):
    if model.of("motion") or any(e.kind == "bushing" for e in model):
        shift = (0.0, 2.0)
    elif any(e.kind == "contact_all" for e in model):
        shift = (5.0, 0.0)  # on the same floor, which carries the copies too
    else:
        shift = (5.0, -1.0)
    after, _ = edits.duplicated(model, list(model.elements), shift)
    q = places(short_run(after))
    n = q.shape[1] // 2
    # Rounding of places far from the origin grows with the stiffest spring, not with chaos.
    assert q[:, n:] - [*shift, 0.0] == pytest.approx(q[:, :n], abs=1e-6)


def test_copies_take_part_in_the_contact_with_all_that_is_there():
    model = MODELS["dominoes"]
    after, new = edits.duplicated(model, list(model.elements), (5.0, 0.0))
    assert [e.id for e in after.of("force")] == [e.id for e in model.of("force")]
    (contact,) = after.of("force")
    assert {id for id in new if after[id].family == "body"} <= set(contact.involved(after))
    # one that is on a body belongs to that body, and is copied with it
    m = Mechanism()
    for n in range(2):
        m.disc((n, 0.0), 0.1, mass=1.0, id=f"disc_{n}")
    m.contact_all("disc_0", (0.0, 0.0))
    m.contact_all("ground", (0.0, -1.0))
    after, _ = edits.duplicated(m.model, list(m.model.elements), (5.0, 0.0))
    assert len(after.of("force")) == 3


def test_only_what_was_chosen_is_copied():
    model = MODELS["four_bar"]
    text = edits.clip(model, ["crank", "coupler"])
    _, ids = edits.pasted(planar(), text)
    assert ids == ("crank", "coupler", "B")  # A holds to the ground and was not chosen
    _, ids = edits.pasted(planar(), edits.clip(model, ["crank", "A", "B"]))
    assert ids == ("crank", "A")  # B holds to the coupler, which was not
    with pytest.raises(EngineError, match="nothing to copy"):
        edits.clip(model, ["A"])


def test_copies_get_free_ids_and_names():
    model = edits.renamed(MODELS["pendulum"], "rod_1", "swing")
    for n in (2, 3):
        model, ids = edits.duplicated(model, ["rod_1"], (0.0, -1.0))
        assert ids == (f"rod_{n}",) and model[ids[0]].name == f"swing {n}"


def test_a_copied_formula_brings_its_parameters_along_unless_they_are_there():
    model = MODELS["slider_crank"]
    text = edits.clip(model, ["crank"])
    new, _ = edits.pasted(planar(), text)
    assert new["speed"] == model["speed"] and new["crank"].spin == "speed"
    other = edits.pasted(edits.with_fields(new, ["speed"], {"value": 1.0}), text)[0]
    assert other["speed"].value == 1.0 and problems(other) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "{}",
        "[1, 2, 3]",
        '{"kardan": 1, "dim": 2, "elements": [{"kind": "revolute", "id": "a"}]}',
        '{"kardan": 1, "dim": 2, "elements": [{"kind": "marker", "id": "a", "body": "b"}]}',
        '{"kardan": 1, "dim": 3, "elements": []}',
        '{"kardan": 99, "dim": 2}',
        "\x00\ud800",
    ],
)
def test_text_that_is_no_copy_is_refused_with_a_sentence(text):
    with pytest.raises(EngineError) as told:
        edits.pasted(planar(), text)
    assert told.value.sentence.endswith((".", ")"))


def test_a_cut_off_copy_is_refused_at_every_length():
    text = edits.clip(MODELS["crane_trolley"], list(MODELS["crane_trolley"].elements))
    for end in range(0, len(text.rstrip()), 7):
        with pytest.raises(EngineError):
            edits.pasted(planar(), text[:end])


def test_planar_things_do_not_go_into_space():
    text = edits.clip(MODELS["pendulum"], ["rod_1"])
    with pytest.raises(EngineError, match="in space"):
        edits.pasted(spatial(), text, (0.0, 0.0, 0.0))


# --- mirrors, turns and shifts


@pytest.mark.parametrize("direction", ["left-right", "top-bottom"])
def test_a_mirror_twice_changes_nothing(model, direction):
    once = edits.mirrored(model, moved_ids(model), direction, about=(0.25, 0.5))
    twice = edits.mirrored(once, moved_ids(model), direction, about=(0.25, 0.5))
    assert problems(once) == [] and nearly(twice, model)


@pytest.mark.parametrize("direction", ["left-right", "top-bottom"])
def test_the_mirror_image_moves_as_the_mirror_image(model, direction):
    k = 0 if direction == "left-right" else 1
    image = edits.mirrored(model, moved_ids(model), direction, about=(0.25, 0.5))
    g = [float(x) for x in resolved(model).gravity]
    g[k] = -g[k]
    results = short_run(model)
    q, q_image = places(results), places(short_run(replace(image, gravity=tuple(g))))
    q[:, :, k] = 2 * (0.25, 0.5)[k] - q[:, :, k]
    q[:, :, 2] *= -1
    if k == 0:  # a beam turns by half a turn, so that its first end stays its first
        moving = [body for body in model.of("body") if body.id in results.compiled.body_ids]
        q[:, [isinstance(getattr(body, "shape", None), Beam) for body in moving], 2] += pi
    # Both runs take the same steps; rounding differs, and projection closes joints to 1e-10.
    assert q_image == pytest.approx(q, abs=1e-8)


def test_the_turned_model_moves_as_the_model_turned(model):
    moving = [body for body in model.of("body") if not body.fixed]
    particles = np.array([body.kind == "particle" for body in moving])
    angle, about = 0.7, (0.2, -0.3)
    c, s = cos(angle), sin(angle)
    R = np.array([[c, -s], [s, c]])
    turned = edits.rotated(model, moved_ids(model), angle, about)
    back = edits.rotated(turned, moved_ids(model), -angle, about)
    assert nearly(without_formulas(back), without_formulas(model))
    g = R @ np.array(resolved(model).gravity, dtype=float)
    q, q_turned = (
        places(short_run(model)),
        places(short_run(replace(turned, gravity=tuple(map(float, g))))),
    )
    q[:, :, :2] = (q[:, :, :2] - about) @ R.T + about
    q[:, ~particles, 2] += angle
    assert q_turned == pytest.approx(q, abs=1e-8)  # as above


def test_a_force_by_formulas_turns_by_formulas_and_a_table_refuses():
    m = Mechanism()
    m.parameter("k", 2.0)
    body = m.box((0, 0))
    force = m.force(body, (0, 0), ("k*t", 3.0))
    turned = edits.rotated(m.model, [body], pi / 6)[force]
    values = [value(f, {"k": 2.0, "t": 0.5}) for f in (turned.f_x, turned.f_y)]
    assert values == pytest.approx([cos(pi / 6) - 1.5, 0.5 + 3.0 * cos(pi / 6)])
    table = edits.with_fields(m.model, [force], {"f_x": ((0.0, 0.0), (1.0, 1.0))})
    with pytest.raises(EngineError, match="is a table"):
        edits.rotated(table, [body], 0.1)


def test_the_moved_model_moves_as_the_model_moved(model):
    moved = edits.translated(model, moved_ids(model), (1.0, -2.0))
    assert nearly(edits.translated(moved, moved_ids(model), (-1.0, 2.0)), model)
    q = places(short_run(moved)) - [1.0, -2.0, 0.0]
    assert q == pytest.approx(places(short_run(model)), abs=1e-8)  # as above


# --- a moment of a run as the design pose


def test_a_run_from_a_moment_of_a_run_goes_on_as_that_run(model):
    whole = short_run(model, 2 * FRAMES)
    t, q, v = (float(whole.t[FRAMES]), whole.q[FRAMES], whole.v[FRAMES])
    if whole.compiled.elastic:
        with pytest.raises(EngineError, match="is bent at this moment"):
            edits.at_state(model, q, v, t)
        return
    after = edits.at_state(model, q, v, t, whole.z[FRAMES])
    assert problems(after) == []
    rest = short_run(after)
    # A run starts with an assembly and a projection, which move within the tolerance of joints. How far the
    # spring of sticking friction is stretched is no field of a contact: a body that rests settles again.
    rests = any(force.kind == "contact" for force in model.of("force"))
    assert rest.q == pytest.approx(whole.q[FRAMES:], abs=1e-5 if rests else 1e-7)
    # Teeth ring at some kilohertz: of 58 rad/s the tolerance of 1e-8 leaves them 2e-5.
    rings = any(getattr(joint, "teeth", "") == "contact" for joint in model.of("joint"))
    assert rest.v == pytest.approx(whole.v[FRAMES:], abs=1e-2 if rests else 1e-4 if rings else 1e-5)


def test_the_first_moment_is_the_drawing_itself():
    model = MODELS["crane_trolley"]
    results = short_run(model, 2)
    after = edits.at_state(model, results.q[0], results.v[0])
    assert nearly(after, model)


def test_formulas_of_fields_that_a_restart_does_not_touch_stay():
    model = MODELS["car_suspension"]
    results = short_run(model)
    after = edits.at_state(model, results.q[-1], results.v[-1], float(results.t[-1]))
    assert after["strut"].free_length == model["strut"].free_length
    assert after["bumpy_road"].law.count("t + 0.04") == 2
    assert after["bump"] is model["bump"]


def test_a_restart_works_in_space():
    m = Mechanism("Ball on a spring", dim=3)
    rod = m.rod((0, 0, 0), (0.7, 0, -0.7), mass=1.0, velocity=(0.0, 0.6, 0.0))
    m.spherical("ground", rod, (0, 0, 0))
    m.spring(("ground", (1, 1, 0)), (rod, (0.7, 0, -0.7)), stiffness=50.0)
    model = m.model
    whole = short_run(model, 2 * FRAMES)
    after = edits.at_state(model, whole.q[FRAMES], whole.v[FRAMES], float(whole.t[FRAMES]))
    assert short_run(after).q == pytest.approx(whole.q[FRAMES:], abs=1e-7)  # as in the plane
    assert after["spring_1"].free_length == pytest.approx(hypot(0.3, 1.0, 0.7))


def test_angles_count_on_over_full_turns():
    m = Mechanism(gravity=(0, 0))
    rod = m.rod((0, 0), (1, 0), mass=1.0, spin=40.0, velocity=(0.0, 20.0))
    hinge = m.revolute("ground", rod, (0, 0))
    m.torsion_spring(hinge, 1.0)
    whole = run(m.model, t_end=0.4, step=1e-3, output_step=1e-3)
    k = 200
    after = edits.at_state(m.model, whole.q[k], whole.v[k], float(whole.t[k]))
    assert after[rod].angle > 2 * pi and after["torsion_spring_1"].free_angle == 0.0
    rest = run(after, t_end=0.2, step=1e-3, output_step=1e-3)
    assert rest.q == pytest.approx(whole.q[k:], abs=1e-7)


@pytest.mark.parametrize(
    ("ids", "copies"),
    [
        (("rod_1",), ("rod_2", "rod_3")),
        (("crank",), ("crank_2", "crank_3")),
        (("rod_3",), ("rod_1", "rod_2")),  # the first that is free
        (("wheel_2b",), ("wheel_2b_2", "wheel_2b_3")),
    ],
)
def test_copies_are_numbered_from_the_first_free_number(ids, copies):
    model = put(planar(), *(PlanarBody(id=id, mass=1.0, inertia=1.0) for id in ids))
    for expected in copies:
        model, (new,) = edits.pasted(model, edits.clip(model, ids))
        assert new == expected


def test_a_size_is_not_given_to_a_body_without_a_shape():
    model = put(planar(), PlanarBody(id="lump", mass=1.0, inertia=1.0))
    with pytest.raises(EngineError, match="'lump' has no shape; choose one first"):
        edits.with_fields(model, ["lump"], {"shape.length": 2.0})
