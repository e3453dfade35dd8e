"""Whatever is edited, undone, redone and saved: what calls itself saved is what the file holds."""

import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from hypothesis import settings, strategies
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from engine.files.model_files import load
from engine.model.elements import planar
from gui.state.document import Document
from gui.state.history import History as Steps
from gui.state.history import Step

MOVES = (
    *(5 * ["edit"] + 5 * ["undo"] + 4 * ["redo"] + 4 * ["save"]),
    *("go_back_by_an_edit", "recover", "begin_another", "open"),
)


class History(RuleBasedStateMachine):
    """A document beside the simplest account of it: a list of models and which one was saved."""

    met: ClassVar = Counter()  # what has happened in all examples

    @initialize()
    def begin(self):
        self.folder = tempfile.TemporaryDirectory()
        self.document = Document()
        self.document.undo_stack.clean_changed.connect(lambda is_clean: self.told.append(is_clean))
        self.document.undo_stack.moved.connect(lambda index: self.places.append(index))
        self.told, self.places = [], []
        self.seen, self.title = self.document.shown, (None, True)
        self.known, self.openings = self.document.model, 0
        self.document.changed.connect(self.see)
        self.document.committed.connect(self.know)
        self.document.opened.connect(self.count_opening)
        self.document.file_changed.connect(self.read_title)
        self.models, self.names, self.at = [self.document.model], [], 0
        self.saved: int | None = 0  # the place whose model the file holds
        self.was_saved, self.was_at = True, 0
        self.count = 0

    def teardown(self):
        if hasattr(self, "folder"):
            self.folder.cleanup()

    def see(self, before, now):
        """What a stage does that listens: it goes from one model to the next."""
        assert before is self.seen
        self.seen = now

    def know(self):
        """What a check-up does that listens."""
        self.known = self.document.model

    def count_opening(self):
        """What forgets runs and previews does so before another model is shown."""
        assert self.seen is self.document.shown
        self.openings += 1

    def read_title(self):
        """What a title bar does that listens."""
        self.title = self.document.path, self.document.is_saved

    def fresh(self):
        """A model unlike all others."""
        self.count += 1
        return replace(planar(), name=f"model {self.count}")

    def put(self, model):
        """Account for an edit."""
        if self.saved is not None and self.saved > self.at:
            self.saved = None  # the saved model was undone, and is now out of reach
            self.met["lost"] += 1
        del self.models[self.at + 1 :], self.names[self.at :]
        self.at += 1
        self.models.append(model)
        self.names.append(f"edit {self.count}")

    def start(self):
        """Account for a document that begins."""
        self.models, self.names = [self.document.model], []
        self.at = self.saved = self.was_at = 0
        self.places.clear()
        self.told.clear()
        self.was_saved = True

    # One rule, because hypothesis switches rules off for whole examples, and faults lie between them.
    @rule(what=strategies.sampled_from(MOVES), count=strategies.integers(1, 3))
    def act(self, what, count):
        for _ in range(count):
            self.look()
            getattr(self, what)()

    def edit(self):
        model = self.fresh()
        shown = planar()
        self.document.preview(shown)
        assert self.seen is shown and self.document.model is self.models[self.at]
        self.document.edit(f"edit {self.count}", model)
        self.put(model)

    def go_back_by_an_edit(self):
        model = self.models[self.count % len(self.models)]
        if model is self.document.model:
            self.document.preview(planar())
            self.document.edit("nothing", model)  # no step
        else:
            self.count += 1
            self.document.edit(f"edit {self.count}", model)
            self.put(model)

    def undo(self):  # also where nothing is left to undo
        self.document.undo_stack.undo()
        self.met["undo"] += self.at > 0
        self.at = max(self.at - 1, 0)

    def redo(self):
        self.document.undo_stack.redo()
        self.met["redo"] += self.at < len(self.models) - 1
        self.at = min(self.at + 1, len(self.models) - 1)

    def save(self):
        path = Path(self.folder.name) / f"{self.count % 2}.json"
        if path == self.document.path:
            self.document.save()
        else:
            self.document.save(path)
        assert self.document.path == path
        self.saved = self.at

    def recover(self):
        self.document.undo_stack.mark_unclean()
        self.saved = None

    def begin_another(self):
        model, openings = self.fresh(), self.openings
        self.document.new(model)
        assert self.document.model is model and self.document.path is None
        assert self.openings == openings + 1
        self.start()

    def open(self):
        for path in sorted(Path(self.folder.name).glob("*.json"))[:1]:
            openings = self.openings
            self.document.open(path)
            assert self.document.path == path and self.openings == openings + 1
            self.start()

    @invariant()
    def the_model_is_the_one_of_the_account(self):
        document, stack = self.document, self.document.undo_stack
        assert document.model is document.shown is self.models[self.at]
        assert (stack.index(), stack.count()) == (self.at, len(self.models) - 1)
        assert stack.can_undo() == (self.at > 0)
        assert stack.can_redo() == (self.at < len(self.models) - 1)
        assert stack.undo_text() == (self.names[self.at - 1] if self.at else "")
        assert stack.redo_text() == (self.names[self.at] if stack.can_redo() else "")
        steps = [stack.step(n) for n in range(-1, stack.count() + 1)]
        assert steps[0] is steps[-1] is None
        assert [step.text for step in steps[1:-1]] == self.names
        assert all(s.before is m for s, m in zip(steps[1:-1], self.models))
        assert all(s.after is m for s, m in zip(steps[1:-1], self.models[1:]))

    @invariant()
    def what_calls_itself_saved_is_in_the_file(self):
        assert self.document.is_saved == (self.saved == self.at)
        if self.document.is_saved and self.document.path is not None:
            assert load(self.document.path) == self.document.model

    @invariant()
    def who_listens_knows_what_is_shown_and_whether_it_is_saved(self):
        assert self.seen is self.document.shown and self.known is self.document.model
        assert self.title == (self.document.path, self.document.is_saved)

    @invariant()
    def look(self):
        """Every change is told, once."""
        is_saved = self.document.is_saved
        assert self.told == ([is_saved] if is_saved != self.was_saved else [])
        assert self.places == ([self.at] if self.at != self.was_at else [])
        self.told.clear()
        self.places.clear()
        self.was_saved, self.was_at = is_saved, self.at


def test_a_history_is_a_list_of_models_that_knows_which_one_is_saved():
    History.met.clear()
    run_state_machine_as_test(History, settings=settings(max_examples=80, stateful_step_count=25))
    # else the machine did not go where the faults are
    assert min(History.met[what] for what in ("undo", "redo", "lost")) > 5, History.met


def test_a_history_that_forgets_everything_is_clean():
    put, told = [], []
    history = Steps(put.append)
    history.clean_changed.connect(told.append)
    history.push(Step("one", planar(), planar()))
    history.mark_clean()
    history.push(Step("two", planar(), planar()))
    assert len(put) == 2 and not history.is_clean()
    history.clear()
    assert history.is_clean() and (history.index(), history.count()) == (0, 0)
    assert told == [False, True, False, True]


def test_an_edit_after_undoing_a_save_is_unsaved(tmp_path):
    document = Document()
    document.edit("one", replace(planar(), name="one"))
    document.save(tmp_path / "model.json")
    document.undo_stack.undo()
    document.edit("two", replace(planar(), name="two"))
    assert not document.is_saved  # closing now must ask
    document.undo_stack.undo()
    assert not document.is_saved  # the file holds "one", which is out of reach
