"""Triggers: made by hand, drawn, edited, marked on the slider, and ending a run as asked."""

from dataclasses import replace
from math import hypot

import pytest
from PySide6.QtCore import Qt

from engine.compiling.checks import problems
from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.formulas.resolve import resolved
from engine.model.elements import GROUND
from gui.forms.panel import PropertiesPanel
from gui.placing.plane.picks import element_at
from gui.placing.plane.placement import Placement
from gui.state.document import Document
from gui.state.selection import Selection
from tests.gui.hands import PIXEL, Hand, tool_named
from tests.run_models import lasting, pendulum

PATIENCE = 240_000  # ms: the first test of a fresh machine waits for the kernels to compile


def watched(t_end=1.0, **fields):
    """The pendulum with a trigger between the ground below it and its end, 1.5 m away."""
    model = pendulum(t_end)
    rod = next(e.id for e in model.of("body"))
    return edits.trigger(model, (GROUND, (1.0, -1.5)), (rod, (1.0, 0.0)), **fields)[0]


def test_a_drag_from_body_to_body_makes_a_trigger_at_the_drawn_distance(qapp):
    hand = Hand().draw_two_links()
    hand.take(tool_named("trigger")).drag((0.5, 0), (0.5, -1))
    made = hand.model["trigger_1"]
    assert made.quantity == "distance" and made.value == 1.0 and made.action == "record"
    assert [hand.model[m].body for m in (made.marker_i, made.marker_j)] == ["link_1", GROUND]
    assert hand.selection.ids == ("trigger_1",)
    assert hand.document.undo_stack.undo_text() == "Add trigger"
    assert not problems(hand.model)


def test_a_trigger_on_one_body_or_on_nothing_that_moves_is_refused_in_words(qapp):
    hand = Hand().draw_two_links()
    before = hand.model
    hand.take(tool_named("trigger")).drag((0.2, 0), (0.6, 0))
    hand.take(tool_named("trigger")).drag((3.0, 3.0), (4.0, 3.0))
    assert hand.model is before and len(hand.complaints) == 2


def test_its_letter_is_its_own(window):
    keys = [a.shortcut().toString() for a in window.strip.actions_.values()]
    assert keys.count("Shift+E") == 1


def test_line_and_flag_are_picked_and_the_bare_stage_beside_them_is_not():
    placement = Placement(resolved(watched()))
    assert element_at(placement, 1.0, -1.2, PIXEL) == "trigger_1"  # on the line
    assert element_at(placement, 1.0 + 8 * PIXEL, -0.75, PIXEL) == "trigger_1"  # on the flag
    assert element_at(placement, 1.0 + 8 * PIXEL, -1.2, PIXEL) == ""


@pytest.mark.parametrize(
    ("quantity", "of", "unit"),
    [("distance", "value", "m"), ("angle", "value", "°"), ("y", "rate", "m/s")],
)
def test_the_limit_has_the_unit_of_what_is_watched(qtbot, preferences, quantity, of, unit):
    preferences.set("angle_unit", "deg")
    document, selection = Document(), Selection()
    document.new(watched(quantity=quantity, of=of))
    panel = PropertiesPanel(document, selection, preferences)
    qtbot.addWidget(panel)
    selection.set(["trigger_1"])
    panel.bring_up_to_date()
    rows = {row.place.name: row for row in panel.form.rows if row.place.ids == ("trigger_1",)}
    assert rows["value"].label.text() == "Limit" and rows["value"].field.line.unit.text() == unit
    box = rows["quantity"].field.box
    assert rows["quantity"].label.text() == "Watches" and box.findData("z") == -1


def test_the_tree_lists_triggers_under_events(window):
    window.document.new(watched(name="Low"))
    head = window.tree.heads["trigger"]
    assert head.text(0).startswith("Events") and head.child(0).text(0) == "Low"
    window.document.new(pendulum())
    assert head.isHidden()


def solved(qtbot, window):
    """Run the open model to its end and wait until it is measured."""
    qtbot.waitUntil(lambda: window.simulator.state == "idle", timeout=PATIENCE)
    with qtbot.waitSignal(window.simulator.finished, timeout=PATIENCE) as finished:
        window.simulator.run()
    record = finished.args[0]
    qtbot.waitUntil(lambda: record.quality is not None, timeout=PATIENCE)
    return record


@pytest.mark.parametrize("method", ["rk4", "dop853"])
def test_a_trigger_that_stops_ends_the_run_as_information(qtbot, window, method):
    model = watched(action="stop", value=1.0, name="Low")
    window.document.new(replace(model, settings=replace(model.settings, method=method)))
    failures = []
    window.simulator.failed.connect(lambda *told: failures.append(told))
    record = solved(qtbot, window)
    assert record.results.ending.reason == "stopped" and not failures
    bar = window.messages.bars["run"]
    assert bar.kind == "notice" and "Low" in bar.sentence
    marks = window.transport.time_line.marks()
    assert [kind for _, kind, _ in marks] == ["trigger"]
    t = marks[0][0]
    assert t <= record.results.t[-1] < t + 0.011  # at most one frame of 0.01 s later
    qtbot.mouseClick(bar.buttons[0], Qt.MouseButton.LeftButton)
    assert window.selection.ids == ("trigger_1",)


def test_a_mark_is_where_the_distance_is_crossed(qtbot, window):
    window.document.new(watched(value=1.0))
    record = solved(qtbot, window)
    marks = [t for t, kind, _ in window.transport.time_line.marks() if kind == "trigger"]
    assert len(marks) >= 1
    results = record.results
    n = int(results.t.searchsorted(marks[0]))
    rod = next(e.id for e in results.model.of("body"))

    def away(k):
        """The distance of the end of the rod from the marker on the ground."""
        x, y = 2 * results[f"{rod}.x"][k], 2 * results[f"{rod}.y"][k]
        return hypot(x - 1.0, y + 1.5)

    assert (away(n - 1) - 1.0) * (away(n) - 1.0) <= 0.0


@pytest.mark.parametrize("method", ["rk4", "dop853"])
def test_each_contact_with_a_stop_is_marked_once(qtbot, window, method):
    m = Mechanism("Stopped")
    rod = m.rod((0, 0), (1, 0), mass=1)
    pivot = m.revolute("ground", rod, at=(0, 0), name="Pivot")
    m.joint_limits(pivot, low=-1.0, high=1.0)
    window.document.new(lasting(m.model, 0.7, step=1e-4, output_step=1e-3, method=method))
    record = solved(qtbot, window)
    angle = record.results["rod_1.angle"]
    entered = [k for k in range(1, len(angle)) if angle[k] < -1.0 <= angle[k - 1]]
    told = [s for _, _, s in window.transport.time_line.marks() if "meets its lower stop" in s]
    assert len(told) == len(entered) >= 1
    assert all("Force '" not in s for _, _, s in window.transport.time_line.marks())


@pytest.mark.parametrize(
    ("quantity", "how", "sign"),
    [
        ("distance", "left-right", 1),
        ("angle", "left-right", -1),
        ("x", "left-right", -1),
        ("x", "top-bottom", 1),
        ("y", "top-bottom", -1),
    ],
)
def test_the_mirror_image_of_a_trigger_is_met_by_the_mirror_image_of_the_motion(
    quantity, how, sign
):
    model = watched(quantity=quantity, value=0.3)
    image = edits.mirrored(model, tuple(e.id for e in model.of("body")), how)
    assert image["trigger_1"].value == sign * 0.3


def test_a_trigger_goes_with_a_copy_of_its_bodies(qapp):
    hand = Hand().draw_two_links()
    hand.take(tool_named("trigger")).drag((0.2, 0), (1, 0.8))
    ids = tuple(e.id for e in hand.model.of("body"))
    copied, _ = edits.duplicated(hand.model, ids, (0.0, 1.0))
    assert len(copied.of("trigger")) == 2
    made = copied["trigger_2"]
    assert {copied[m].body for m in (made.marker_i, made.marker_j)}.isdisjoint(ids)
