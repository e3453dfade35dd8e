"""What moves is found by a glimpse at the start of a run, which never holds up the window."""

from dataclasses import replace

from engine.editing.builder import Mechanism
from engine.running import simulate
from gui.plots.catalogue import FIRST, Catalogue
from gui.state.document import Document
from gui.state.playback import Playback


def catalogue_of(model):
    """The channels of a model that has not run."""
    document = Document()
    document.new(model)
    return Catalogue(document, Playback())


def test_a_glimpse_takes_the_method_that_is_compiled_first(qtbot, monkeypatch):
    taken = []

    def prepared(model, **changes):
        taken.append(changes["method"])
        return prepare(model, **changes)

    prepare = simulate.prepare
    monkeypatch.setattr(simulate, "prepare", prepared)
    m = Mechanism("pendulum")
    m.rod((0, 0), (1, 0), mass=1.0, id="rod")
    m.revolute("ground", "rod", (0, 0))
    model = replace(m.model, settings=replace(m.model.settings, method="radau"))
    found = catalogue_of(model)
    assert found.moving(["rod.angle"]) == ["rod.angle"] and taken == [FIRST]


def test_of_a_glimpse_that_fails_at_once_everything_may_move(qtbot):
    m = Mechanism("stiff")
    m.particle((0, 0), 1.0, id="a")
    m.spring_damper(("ground", (0, 1)), ("a", (0, 0)), stiffness=1e12, damping=1e9, free_length=0.5)
    names = ["a.x", "a.y"]
    assert catalogue_of(m.model).moving(names) == names
