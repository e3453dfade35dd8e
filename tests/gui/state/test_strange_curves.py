"""A document holds no curve or slider of an element that it does not have: it could not be saved."""

from engine.editing.builder import Mechanism
from engine.files.model_files import dumps, load
from engine.model.elements import with_plots, with_sliders
from engine.model.views.plots import Curves
from gui.state.document import Document


def test_curves_of_missing_elements_leave_with_the_edit(tmp_path):
    m = Mechanism()
    rod = m.rod((0, 0), (1, 0), id="rod")
    m.revolute("ground", rod, (0, 0), id="pin")
    document = Document()
    document.new(m.model)
    plots = [Curves(channels=("gone.force_x", "rod.angle", "kinetic_energy"))]
    document.edit("Plot", with_sliders(with_plots(m.model, plots), ["nobody"]))
    assert document.model.view.plots == (Curves(channels=("rod.angle", "kinetic_energy")),)
    assert document.model.view.sliders == ()
    document.save(tmp_path / "model.json")
    assert dumps(load(tmp_path / "model.json")) == dumps(document.model)
