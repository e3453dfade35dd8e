"""The health strip and what is said when something is wrong, with the buttons that mend it."""

import re
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from assets.make_examples import gear_train
from engine.editing.builder import Mechanism
from engine.editing.edits.sizing import resized
from engine.kinematics.checkup import examine
from engine.model.elements import put
from engine.model.joints import Revolute
from engine.results.balance import Balance
from gui.state.numbers import size_of
from gui.state.playback import Quality

PATIENCE = 240_000  # ms: the first test of a fresh machine waits for the kernels to compile


def four_bar(coupler=2.0):
    """Crank, coupler and rocker; with another length of the coupler it is drawn open."""
    m = Mechanism("Four-bar")
    crank = m.rod((0, 0), (0, 1), name="crank")
    rod = m.rod((0, 1), (coupler, 1.5), name="coupler")
    rocker = m.rod((2, 0), (2, 1.5), name="rocker")
    m.revolute("ground", crank, at=(0, 0), name="A")
    m.revolute(crank, rod, at=(0, 1), name="B")
    m.revolute(rod, rocker, at=(2, 1.5), name="C")
    m.revolute("ground", rocker, at=(2, 0), name="D")
    return m.model


def parallel_links():
    """A plate on three parallel links: one of them is redundant."""
    m = Mechanism("Parallel links")
    plate = m.box((1, 1), 3, 0.2, name="plate")
    for n in range(3):
        link = m.rod((n, 0), (n, 1), name=f"link {n + 1}")
        m.revolute("ground", link, at=(n, 0))
        m.revolute(link, plate, at=(n, 1))
    return m.model


def open_four_bar():
    """The four-bar with its coupler moved away: the drawing is open, but can be closed."""
    model = four_bar()
    coupler = model["rod_2"]
    return put(model, replace(coupler, position=(coupler.position[0], coupler.position[1] + 0.05)))


def impossible():
    """A link of one metre between two ground pins four metres apart."""
    m = Mechanism("Impossible")
    rod = m.rod((0, 0), (1, 0), name="link")
    m.revolute("ground", rod, at=(0, 0))
    far, end = m.marker("ground", (4, 0)), m.marker(rod, (1, 0))
    return put(m.model, Revolute(id="far", name="far", marker_i=far, marker_j=end))


def examined(qtbot, window):
    """Wait until the open model has been examined with the kernels."""

    def is_known():
        checkup = window.health.checkup
        done = checkup.mobility is not None or checkup.problems
        return window.examiner.is_current and window.health.is_known and bool(done)

    qtbot.waitUntil(is_known, timeout=PATIENCE)


def click(qtbot, button):
    """A real click."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_strip_counts_and_names_freedom_redundancy_gap_and_method(qtbot, window):
    assert window.health.text("bodies") == "0 bodies"
    window.document.edit("Draw", four_bar())
    examined(qtbot, window)
    shown = [window.health.text(name) for name in window.health.items]
    assert shown[:5] == ["sound", "3 bodies", "4 joints", "DOF 1", "redundant 0"]
    assert shown[5].startswith("gap") and shown[7] == "auto"
    assert window.health.state("gap") == "good" and window.health.state("redundant") == "good"


def test_wheels_that_do_not_mesh_are_a_remark_that_a_click_lists(qtbot, window):
    model = gear_train().model
    wheel = model["gear_2"]
    window.document.edit(
        "Draw", put(model, replace(wheel, shape=replace(wheel.shape, radius=0.15)))
    )
    examined(qtbot, window)
    assert window.health.text("problems") == "2 remarks"  # it meshes with two others
    assert window.health.state("problems") == "warning"
    click(qtbot, window.health.items["problems"])
    found = window.session.problem_list
    assert found.title.text() == "Remarks" and found.list.count() == 2
    assert "'mesh_12' do not mesh" in found.list.item(0).text()
    found.hide()


def test_the_strip_is_never_out_of_date(qtbot, window):
    window.document.edit("Draw", four_bar())
    examined(qtbot, window)
    window.document.edit("Free", replace(window.document.model, elements={}))
    assert window.health.text("dof") == "DOF –"  # at once, not that of the model before
    window.document.undo_stack.undo()
    examined(qtbot, window)
    assert window.health.text("dof") == "DOF 1"


def test_counts_select(qtbot, window):
    window.document.edit("Draw", four_bar())
    click(qtbot, window.health.items["bodies"])
    assert window.selection.ids == ("rod_1", "rod_2", "rod_3")
    click(qtbot, window.health.items["joints"])
    assert len(window.selection.ids) == 4


def test_the_method_opens_the_settings(qtbot, window):
    window.document.edit("Draw", four_bar())
    window.selection.set(["rod_1"])
    click(qtbot, window.health.items["method"])
    assert window.selection.ids == ()
    window.properties.bring_up_to_date()
    assert "settings.method" in [row.field.objectName() for row in window.properties.form.rows]


def test_redundancy_is_named_and_painted(qtbot, window, monkeypatch):
    painted = []
    monkeypatch.setattr(window.stage, "highlight", lambda ids, kind="": painted.append(tuple(ids)))
    window.document.edit("Draw", parallel_links())
    examined(qtbot, window)
    assert window.health.text("redundant") == "redundant 1"
    assert window.health.state("redundant") == "warning"
    click(qtbot, window.health.items["redundant"])
    sentence = window.messages.sentence("redundant")
    assert "already" in sentence and "'revolute_" in sentence
    assert len(painted[-1]) >= 2 and set(painted[-1]) <= set(window.document.model.elements)
    click(qtbot, window.messages.bars["redundant"].buttons[-1])
    assert painted[-1] == () and not window.messages.sentence("redundant")


def test_redundancy_is_repaired_by_one_click(qtbot, window):
    window.document.edit("Draw", parallel_links())
    examined(qtbot, window)
    click(qtbot, window.health.items["redundant"])
    button = window.messages.bars["redundant"].buttons[0]
    assert "pin in slot: DOF 1, redundant 0" in button.text()
    click(qtbot, button)
    examined(qtbot, window)
    assert (window.health.text("dof"), window.health.text("redundant")) == ("DOF 1", "redundant 0")
    assert not window.messages.sentence("redundant")
    window.document.undo_stack.undo()
    assert window.document.model == parallel_links()


def test_strip_and_banner_name_the_same_gap():
    model = four_bar()
    away = replace(model["rod_2"], position=tuple(x + 0.03 for x in model["rod_2"].position))
    checkup = examine(put(model, away))
    assert checkup.gap == pytest.approx(0.03 * 2**0.5) and not checkup.gaps[0].is_angle
    assert f"is {checkup.gap * 1e3:.3g} mm apart" in checkup.gap_sentence


def test_the_strip_names_typed_values_that_are_not_kept(qtbot, window):
    model = four_bar()
    crank = replace(model["rod_1"], position=(3.0, 0.0), position_typed=True)
    window.document.new(put(model, crank))
    examined(qtbot, window)
    window.document.edit("", put(model, replace(crank, position=model["rod_1"].position)))
    examined(qtbot, window)
    assert window.health.state("gap") == "good"
    window.document.edit(
        "",
        put(
            model,
            replace(model["revolute_1"], angle_start=0.1),
            replace(model["rod_1"], angle_typed=True),
        ),
    )
    examined(qtbot, window)
    assert window.health.text("problems") == "2 values not kept"
    assert window.health.state("problems") == "warning"


def test_a_gap_is_told_drawn_and_closed_by_one_click(qtbot, window, monkeypatch):
    drawn = []
    monkeypatch.setattr(window.stage, "show_gap", lambda i, j=None: drawn.append((i, j)))
    window.document.edit("Draw", four_bar())
    window.document.edit("Move", open_four_bar())
    examined(qtbot, window)
    assert window.health.state("gap") == "warning"
    assert "50 mm apart" in window.messages.sentence("gap")
    assert "'B' (crank - coupler)" in window.messages.sentence("gap")
    guilty = window.health.checkup.gap_id
    joint = window.document.model[guilty]
    assert drawn[-1] == (joint.marker_i, joint.marker_j)
    buttons = window.messages.bars["gap"].buttons
    assert [b.text() for b in buttons] == ["Assemble", "Other branch", "Undo move"]
    click(qtbot, buttons[0])
    assert not window.messages.sentence("gap")
    examined(qtbot, window)
    assert window.health.state("gap") == "good"
    assert examine(window.document.model).gap < 1e-9
    window.document.undo_stack.undo()
    examined(qtbot, window)
    click(qtbot, window.messages.bars["gap"].buttons[-1])
    assert window.document.model == four_bar()


def test_what_cannot_be_assembled_says_so(qtbot, window):
    window.document.edit("Draw", four_bar())
    window.document.edit("Pin", impossible())
    examined(qtbot, window)
    assert window.health.text("gap") == "gap 3 m" and "3 m apart" in window.messages.sentence("gap")
    assert window.health.text("problems") == "does not close"
    assert window.health.state("gap") == "problem"
    assert "cannot be assembled" in window.messages.sentence("gap")
    before = window.document.model
    click(qtbot, window.messages.bars["gap"].buttons[0])
    assert window.document.model is before  # nothing moved
    assert "cannot be assembled" in window.messages.sentence("gap")
    click(qtbot, window.messages.bars["gap"].buttons[-1])
    assert window.document.model == four_bar()


def test_problems_are_listed_and_a_click_selects(qtbot, window):
    model = four_bar()
    window.document.edit("Break", put(model, replace(model["revolute_1"], marker_i="nothing")))
    qtbot.waitUntil(lambda: window.health.text("problems") == "1 problem", timeout=PATIENCE)
    assert window.health.state("problems") == "problem"
    click(qtbot, window.health.items["problems"])
    popup = window.session.problem_list
    assert popup.isVisible() and "does not exist" in popup.list.item(0).text()
    place = popup.list.visualItemRect(popup.list.item(0)).center()
    qtbot.mouseClick(popup.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.selection.ids == ("revolute_1",) and popup.isHidden()


def test_a_joint_that_starts_beyond_its_stop_is_listed_and_still_runs(qtbot, window):
    m = Mechanism("Stopped")
    rod = m.rod((0, 0), (1, 0), name="arm")
    pin = m.revolute("ground", rod, at=(0, 0), name="Pivot")
    m.joint_limits(pin, low=0.1, high=1.0, stiffness=100.0, name="Ends")
    m.settings(t_end=0.1)
    window.document.edit("Draw", m.model)
    qtbot.waitUntil(lambda: window.health.text("problems") == "1 problem", timeout=PATIENCE)
    click(qtbot, window.health.items["problems"])
    popup = window.session.problem_list
    assert "Joint 'Pivot' starts 5.73 degrees beyond the lower stop" in popup.list.item(0).text()
    popup.hide()
    window.simulator.run()
    qtbot.waitUntil(lambda: window.playback.current is not None, timeout=PATIENCE)
    assert any("'Pivot' starts" in note for note in window.playback.current.results.notes)


def test_a_driven_and_damped_run_has_an_error_like_any_other(qtbot, window):
    m = Mechanism("Driven")
    crank = m.rod((0, 0), (0, 1), id="crank")
    arm = m.rod((0, 1), (1, 1), id="arm")
    main = m.revolute("ground", crank, at=(0, 0))
    elbow = m.revolute(crank, arm, at=(0, 1))
    m.motion(main, "3*t")
    m.joint_damping(elbow, 2.0)
    m.settings(t_end=0.5)
    window.document.edit("Draw", m.model)
    examined(qtbot, window)
    window.simulator.run()
    qtbot.waitUntil(
        lambda: window.playback.current is not None and window.playback.current.quality is not None,
        timeout=PATIENCE,
    )
    strip, record = window.health, window.playback.current
    assert re.fullmatch(r"energy error (< )?\d(\.\d)?e-\d+ %", strip.text("energy"))
    assert strip.state("energy") == "good"
    click(qtbot, strip.items["energy"])
    assert {"total_energy", "work", "energy_balance"} <= set(window.plots.shown_channels())
    for balance, words, state in (
        (Balance(0.0, 0.0, 1e-3), "energy error 0", "good"),
        (Balance(2e-4, 10.0, 1e-6), "energy error 0.002 %", "warning"),
        (Balance(0.2, 10.0, 1e-3), "energy error 2 %", "warning"),
        (Balance(1.0, 10.0, 1e-3), "energy error 10 %", "problem"),
        (Balance(float("nan"), float("inf"), 1e-3), "energy error nan", "problem"),
    ):
        record.quality = Quality(balance, 0.0)
        strip.refresh()
        assert (strip.text("energy"), strip.state("energy")) == (words, state)
    for share, state in ((5e-6, "good"), (9e-5, "good"), (2e-4, "warning"), (np.nan, "warning")):
        gap = share * size_of(window.document.model)  # amber where one could see it
        record.quality = Quality(Balance(0.0, 0.0, 1e-3), gap)
        strip.refresh()
        assert strip.state("gap") == state


def test_a_run_shows_its_error_and_an_edit_ends_it_with_a_toast(qtbot, window):
    model = four_bar()
    settings = replace(model.settings, t_end=0.5)
    window.document.edit("Draw", replace(model, settings=settings))
    examined(qtbot, window)
    window.simulator.run()
    qtbot.waitUntil(
        lambda: window.playback.current is not None and window.playback.current.quality is not None,
        timeout=PATIENCE,
    )
    assert window.health.text("energy") == "energy error 0"  # both cranks stand upright
    assert window.health.state("energy") == "good"
    assert window.commands["pose_from_frame"].isEnabled()
    click(qtbot, window.health.items["energy"])
    assert window.plots.shown_channels() == ["kinetic_energy", "potential_energy", "total_energy"]
    before = window.document.model
    window.document.edit("Rename", replace(before, name="Other"))
    assert window.playback.current is None and len(window.playback.ghosts) == 1
    assert "ghost" in window.toaster.text.text() and window.toaster.isVisible()
    click(qtbot, window.toaster.button)
    assert window.document.model is before and window.toaster.isHidden()


def test_an_undo_that_ends_a_run_offers_to_redo_it(qtbot, window):
    model = four_bar()
    window.document.edit("Draw", replace(model, settings=replace(model.settings, t_end=0.1)))
    window.document.edit("Rename", named := replace(window.document.model, name="Other"))
    examined(qtbot, window)
    window.simulator.run()
    qtbot.waitUntil(
        lambda: window.playback.current is not None and window.simulator.state == "idle",
        timeout=PATIENCE,
    )
    window.document.undo_stack.undo()
    assert window.toaster.isVisible() and window.toaster.button.text() == "Redo"
    click(qtbot, window.toaster.button)
    assert window.document.model is named
    window.toaster.say("Something", "Undo", window.document.undo_stack.undo)
    window.document.new(model)
    assert window.toaster.isHidden()  # its button would undo an edit of another model


def stiff():
    """A spring that is far too stiff for the step."""
    m = Mechanism("Stiff")
    ball = m.particle((0, 0), 1.0)
    m.spring(("ground", (0, 1)), (ball, (0, 0)), stiffness=1e9, name="K2")
    model = m.model
    return replace(model, settings=replace(model.settings, method="euler", step=0.01, t_end=5.0))


def test_a_diverged_run_offers_remedies_that_run_again(qtbot, window):
    window.document.edit("Draw", stiff())
    examined(qtbot, window)
    window.simulator.run()
    qtbot.waitUntil(lambda: bool(window.messages.sentence("run")), timeout=PATIENCE)
    assert "diverged" in window.messages.sentence("run")
    bar = window.messages.bars["run"]
    words = [button.text() for button in bar.buttons]
    assert "K2" in bar.sentence and "advice" not in window.messages.bars  # told once
    assert words[0].startswith("Use h = ") and "IDA" in words[1] and "Dormand" in words[2]
    click(qtbot, bar.buttons[0])
    assert window.document.model.settings.step < 1e-3
    assert window.document.undo_stack.undo_text() == "Change the settings of the run"
    qtbot.waitUntil(lambda: window.simulator.state == "idle", timeout=PATIENCE)


def test_a_crank_that_locks_up_offers_to_undo_its_length_and_no_other_method(qtbot, window):
    m = Mechanism("Four-bar")
    crank = m.rod((0, 0), (0, 0.5), id="crank")
    rod = m.rod((0, 0.5), (2, 1.5), id="coupler")
    rocker = m.rod((2, 0), (2, 1.5), id="rocker")
    m.revolute("ground", crank, at=(0, 0), id="A")
    m.revolute(crank, rod, at=(0, 0.5))
    m.revolute(rod, rocker, at=(2, 1.5))
    m.revolute("ground", rocker, at=(2, 0))
    m.motion("A", "6*t")
    window.document.new(m.model)
    window.document.edit("Lengthen", resized(m.model, "crank", "length", 1.5).model)
    window.simulator.run()
    qtbot.waitUntil(lambda: bool(window.messages.sentence("run")), timeout=PATIENCE)
    assert "cannot be closed beyond" in window.messages.sentence("run")
    words = [button.text() for button in window.messages.bars["run"].buttons]
    assert words[0] == "Undo lengthen" and not any("Run with" in one for one in words)
    click(qtbot, window.messages.bars["run"].buttons[0])
    assert window.document.model == m.model


def test_a_model_that_cannot_run_says_why(qtbot, window):
    qtbot.waitUntil(lambda: window.simulator.state == "idle", timeout=PATIENCE)
    window.simulator.run()
    qtbot.waitUntil(lambda: bool(window.messages.sentence("run")), timeout=PATIENCE)
    assert "no moving body" in window.messages.sentence("run")


def test_a_frame_becomes_the_design_pose(qtbot, window):
    model = put(four_bar(), replace(four_bar()["rod_1"], spin=1.0))
    window.document.edit("Draw", replace(model, settings=replace(model.settings, t_end=0.3)))
    qtbot.waitUntil(lambda: window.simulator.state == "idle", timeout=PATIENCE)
    window.simulator.run()
    qtbot.waitUntil(
        lambda: window.playback.current is not None and window.playback.t_last > 0.29,
        timeout=PATIENCE,
    )
    before = window.document.model["rod_1"].angle
    window.playback.set_time(0.3)
    window.commands["pose_from_frame"].trigger()
    assert window.document.model["rod_1"].angle != before
    assert examine(window.document.model).gap < 1e-9  # the frame was closed, and stays so


def test_an_empty_model_is_examined_without_kernels():
    checkup = examine(Mechanism("Nothing").model)
    assert checkup.problems == () and checkup.mobility is None


@pytest.mark.parametrize("n", [60])
def test_typing_stays_smooth_while_a_large_model_is_examined(qtbot, window, n):
    m = Mechanism("Chain")
    last = "ground"
    for k in range(n):
        rod = m.rod((k, 0), (k + 1, 0), mass=1)
        m.revolute(last, rod, at=(k, 0))
        last = rod
    window.document.edit("Draw", m.model)
    examined(qtbot, window)
    assert window.health.text("dof") == f"DOF {n}"


def test_a_velocity_that_no_joint_allows_is_named_and_resolved_by_a_click(qtbot, window):
    model = four_bar()
    model = put(model, replace(model["rod_1"], velocity=(1.0, 2.0)))
    window.document.edit("Draw", model)
    examined(qtbot, window)
    unkept = window.health.checkup.unkept
    assert [one.field for one in unkept] == ["velocity"]
    assert "not kept" in window.health.text("problems")
    assert window.health.state("problems") == "warning"
    assert unkept[0].sentence in window.health.items["problems"].toolTip()
    assert unkept[0].sentence in window.messages.sentence("speeds")
    click(qtbot, window.health.items["problems"])
    shown = window.session.problem_list
    assert shown.isVisible() and shown.list.item(0).text() == unkept[0].sentence
    shown.list.itemClicked.emit(shown.list.item(0))
    assert window.selection.ids == ("rod_1",)
    steps = window.document.undo_stack.index()
    click(qtbot, window.messages.bars["speeds"].buttons[0])  # leave it empty
    assert getattr(window.document.model["rod_1"], unkept[0].field) is None
    assert window.document.undo_stack.index() == steps + 1
    window.document.undo_stack.undo()
    assert window.document.model == model
    qtbot.waitUntil(lambda: "speeds" in window.messages.bars, timeout=PATIENCE)
    click(qtbot, window.messages.bars["speeds"].buttons[1])  # take what runs
    taken = getattr(window.document.model["rod_1"], unkept[0].field)
    assert taken == pytest.approx(tuple(unkept[0].runs))


def test_every_open_joint_is_listed(qtbot, window):
    model = four_bar()
    ground = [m for m in model.of("marker") if m.body == "ground"]
    moved = [replace(m, position=(m.position[0], m.position[1] - 0.02)) for m in ground[:1]]
    window.document.edit("Draw", put(model, *moved))
    examined(qtbot, window)
    click(qtbot, window.health.items["problems"])
    shown = window.session.problem_list
    sentences = [shown.list.item(n).text() for n in range(shown.list.count())]
    assert len(sentences) == len(window.health.checkup.gaps) == 1
    assert "is 20 mm apart" in sentences[0]
