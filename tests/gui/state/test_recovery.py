"""Unsaved work survives crashes and kills, disturbs nobody, and is offered once."""

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.atomic import clear_unfinished
from engine.files.model_files import load, save
from gui.state.document import Document
from gui.state.recovery import EDITS, PAUSE, Recovery

LEFT = Qt.MouseButton.LeftButton
PROMISED = 10  # edits that a crash may lose at most

# A program that edits all the time: it says the number of each edit once it is made.
STEADY = """
import sys
from dataclasses import replace
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from engine.editing.builder import Mechanism
from gui.state.document import Document
from gui.state.recovery import Recovery

app = QCoreApplication([])
document = Document()
recovery = Recovery(document, Path(sys.argv[1]))
m = Mechanism("0")
m.rod((0, 0), (1, 0))
document.new(m.model)
count = 0

def edit():
    global count
    count += 1
    document.edit("Edit", replace(document.model, name=str(count)))
    print(count, flush=True)

timer = QTimer(interval=int(sys.argv[2]))
timer.timeout.connect(edit)
timer.start()
app.exec()
"""


def two_boxes():
    """Two boxes apart, a pin on one of them."""
    m = Mechanism("Boxes")
    m.box((0, 0), 0.4, 0.2, name="a")
    b = m.box((1, 0.5), 0.4, 0.2, name="b")
    m.revolute("ground", b, at=(1, 0.5))
    return m.model


def steady(folder, pause):
    """A process that edits steadily, with this pause in ms."""
    command = [sys.executable, "-c", STEADY, str(folder), str(pause)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3]
    )


def test_unsaved_work_is_kept_and_offered_after_a_crash(qtbot, open_window, tmp_path):
    crashed = open_window()
    crashed.document.edit("Draw", two_boxes())
    crashed.recovery.keep()
    crashed.recovery.wait()
    folder = crashed.recovery.folder
    assert load(folder / "model.json") == two_boxes()
    second = open_window()
    assert not second.messages.sentence("recovery")  # the first program still runs
    crashed.recovery._lock.unlock()  # as the system does when a program dies
    third = open_window()
    assert "Unsaved work was kept: Boxes" in third.messages.sentence("recovery")
    qtbot.mouseClick(third.messages.bars["recovery"].buttons[0], LEFT)
    assert third.document.model == two_boxes() and not third.document.is_saved
    assert not folder.exists() and not third.messages.sentence("recovery")


def test_a_saved_document_leaves_no_copy(window, tmp_path):
    window.document.edit("Draw", two_boxes())
    window.recovery.keep()
    assert window.recovery.folder.exists()
    window.document.save(tmp_path / "boxes.json")
    window.recovery.keep()
    assert not window.recovery.folder.exists()


def test_copies_are_written_by_themselves_after_an_edit(qtbot, window):
    window.document.edit("Draw", two_boxes())
    qtbot.waitUntil(lambda: (window.recovery.folder / "about.json").is_file())
    window.files.may_leave = lambda: True
    window.close()
    assert not window.recovery.folder.exists()


def test_a_copy_that_was_cut_off_is_told_and_nothing_breaks(qtbot, open_window, tmp_path):
    broken = tmp_path / "recovery" / "old"
    broken.mkdir(parents=True)
    (broken / "model.json").write_text("{")
    window = open_window()
    assert "Unsaved work" in window.messages.sentence("recovery")
    before = window.document.model
    qtbot.mouseClick(window.messages.bars["recovery"].buttons[0], LEFT)
    assert window.document.model is before and "Cannot open" in window.messages.sentence("file")
    qtbot.mouseClick(window.messages.bars["recovery"].buttons[1], LEFT)
    assert not broken.exists() and not window.messages.sentence("recovery")


def test_a_full_disk_does_not_disturb_the_work(qapp, tmp_path):
    file = tmp_path / "file"
    file.write_text("in the way")
    document = Document()
    recovery = Recovery(document, file)
    document.edit("Draw", two_boxes())
    recovery.keep()
    recovery.wait()
    assert document.model == two_boxes() and recovery.left() == []


@pytest.mark.parametrize("pause", [1, 20])
def test_steady_edits_are_copied_and_a_kill_loses_ten_of_them_at_most(qapp, tmp_path, pause):
    for kill in range(4):
        folder = tmp_path / str(kill)
        with steady(folder, pause) as program:
            for _ in range(17 + 7 * kill):
                assert program.stdout.readline()
            program.kill()
            made = [int(line) for line in program.stdout.read().split()]
        (left,) = Recovery(Document(), folder).left()
        kept = int(left.load().name)
        last = made[-1] if made else 17 + 7 * kill
        assert last - kept <= PROMISED, f"{last} edits were made, {kept} are in the copy"


def test_an_edit_does_not_make_the_copy_of_an_earlier_one_wait_longer(qtbot, tmp_path):
    assert PAUSE <= 5000 and EDITS <= PROMISED
    document = Document()
    recovery = Recovery(document, tmp_path)
    document.edit("Draw", two_boxes())
    due = recovery._timer.remainingTime()
    qtbot.wait(50)
    document.edit("Rename", replace(document.model, name="other"))
    assert recovery._timer.remainingTime() < due
    recovery.finish()


def test_two_programs_do_not_offer_each_other_their_work(qapp, tmp_path):
    with steady(tmp_path, 1) as program:
        for _ in range(4 * EDITS):
            program.stdout.readline()
        while not list(tmp_path.glob("*/model.json")):
            time.sleep(0.01)
        recovery = Recovery(Document(), tmp_path)
        assert recovery.left() == []
        program.kill()
        program.stdout.read()
    assert len(recovery.left()) == 1


def test_the_copy_made_after_a_save_is_locked_as_well(qapp, tmp_path):
    document = Document()
    first, second = Recovery(document, tmp_path / "r"), Recovery(Document(), tmp_path / "r")
    document.edit("Draw", two_boxes())
    first.keep()
    document.save(tmp_path / "a.json")
    first.keep()
    document.edit("Rename", replace(document.model, name="other"))
    first.keep()
    first.wait()
    assert (first.folder / "model.json").is_file() and second.left() == []
    first.finish()


@pytest.mark.parametrize("when", ["1e300", "NaN", "-1", '"yesterday"', "null", "[[]]", "Infinity"])
def test_a_bad_note_does_not_disturb_the_start(open_window, tmp_path, when):
    copy = tmp_path / "recovery" / "old"
    copy.mkdir(parents=True)
    save(two_boxes(), copy / "model.json")
    (copy / "about.json").write_text('{"title": 7, "path": "", "when": ' + when + "}")
    assert "Unsaved work" in open_window().messages.sentence("recovery")


def test_a_note_that_is_no_note_does_not_disturb_the_start(qapp, tmp_path):
    for n, text in enumerate(("[" * 100_000, "[]", "", "\0")):
        copy = tmp_path / str(n)
        copy.mkdir()
        save(two_boxes(), copy / "model.json")
        (copy / "about.json").write_text(text)
    left = Recovery(Document(), tmp_path).left()
    assert len(left) == 4 and all(one.load() == two_boxes() for one in left)


def test_unfinished_files_of_killed_saves_are_cleared(qapp, tmp_path):
    document = Document()
    recovery = Recovery(document, tmp_path / "r")
    document.edit("Draw", two_boxes())
    recovery.keep()
    recovery.wait()
    (recovery.folder / ".kardan-0123.tmp").write_text("half")
    recovery.finish()
    assert not recovery.folder.exists()
    fresh = tmp_path / ".kardan-45.tmp"
    fresh.write_text("another save is writing this")
    clear_unfinished(tmp_path, older_than=3600.0)
    assert fresh.exists()
    clear_unfinished(tmp_path)
    assert not fresh.exists()


# --- the file is changed by somebody else


def answering(monkeypatch, words):
    """Let dialogs be answered by the button with these words; returns what they said."""
    said = []

    def answer(box):
        said.append(box.text())
        next(b for b in box.buttons() if words in b.text().replace("&", "")).click()

    monkeypatch.setattr(QMessageBox, "exec", answer)
    return said


def test_a_file_changed_by_another_window_is_replaced_only_if_the_user_says_so(
    open_window, tmp_path, monkeypatch
):
    path = tmp_path / "shared.json"
    save(two_boxes(), path)
    first, second = open_window(), open_window()
    first.files.open_path(path)
    second.files.open_path(path)
    for window, name in ((first, "first"), (second, "second")):
        window.document.edit("Rename", replace(window.document.model, name=name))
    assert first.files.save()
    said = answering(monkeypatch, "Cancel")
    assert not second.files.save() and "changed by another" in said[0]
    assert load(path).name == "first" and not second.document.is_saved
    answering(monkeypatch, "Replace")
    assert second.files.save() and load(path).name == "second"
    second.document.edit("Rename", replace(second.document.model, name="again"))
    said = answering(monkeypatch, "Cancel")
    assert second.files.save() and said == []  # its own save is no change by others


def test_recovered_work_knows_the_file_it_began_with(open_window, tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    save(two_boxes(), path)
    crashed = open_window()
    crashed.files.open_path(path)
    crashed.document.edit("Rename", replace(crashed.document.model, name="unsaved"))
    crashed.recovery.keep()
    crashed.recovery.wait()
    note = json.loads((crashed.recovery.folder / "about.json").read_text())
    crashed.recovery._lock.unlock()
    window = open_window()
    window.session.leftovers._recover(window.recovery.left()[0])
    assert window.document.content == note["content"] and not window.document.is_changed_elsewhere
    save(replace(two_boxes(), name="changed by somebody"), path)
    assert window.document.is_changed_elsewhere


def test_a_read_only_file_is_not_replaced(tmp_path):
    path = tmp_path / "model.json"
    save(two_boxes(), path)
    path.chmod(0o444)
    with pytest.raises(EngineError, match="read-only"):
        save(replace(two_boxes(), name="other"), path)
    assert load(path) == two_boxes() and len(list(tmp_path.iterdir())) == 1
