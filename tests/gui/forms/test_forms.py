"""Property forms: units, formulas, limits, computed values, several elements at once."""

from dataclasses import fields, replace
from math import pi

import pytest
from PySide6.QtCore import Qt

from assets.make_examples import gear_train
from engine.editing.builder import Mechanism
from engine.model.catalogue import ELEMENTS
from engine.model.elements import Parameter, planar, put, spatial
from engine.model.fields import Polyline
from engine.model.shapes import SHAPES, Disc
from gui.forms.fields import ChoiceField, FlagField
from gui.forms.form import Form
from gui.forms.lines import LineField, TextField, VectorField
from gui.forms.materials import MaterialButton
from gui.forms.panel import PropertiesPanel
from gui.forms.special import ColourField, FunctionField, PointsField
from gui.state.document import Document
from gui.state.selection import Selection


def crank():
    """A crank with a motion, a spring and a parameter."""
    m = Mechanism("Crank")
    rod = m.rod((0, 0), (1, 0), name="crank")
    disc = m.disc((2, 0), 0.1)
    pin = m.revolute("ground", rod, at=(0, 0))
    m.motion(pin, "2*t")
    m.spring(("ground", (1, 1)), (rod, (1, 0)), stiffness=100)
    m.prismatic("ground", disc, at=(2, 0), axis=(1, 0))
    return put(m.model, Parameter(id="l", value=0.5))


@pytest.fixture
def panel(qtbot, preferences):
    """The panel of a document with a crank, shown."""
    document, selection = Document(), Selection()
    document.new(crank())
    preferences.set("angle_unit", "deg")
    shown = PropertiesPanel(document, selection, preferences)
    qtbot.addWidget(shown)
    shown.resize(300, 700)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def field(panel, name):
    """The editor of a field of the form."""
    panel.bring_up_to_date()
    return next(row.field for row in panel.form.rows if row.field.objectName() == name)


def enter(qtbot, line, text):
    """Type into a line over what is there, and press Enter."""
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def test_a_length_is_shown_and_typed_in_the_units_of_the_user(qtbot, panel, preferences):
    preferences.set("length_unit", "mm")
    panel.selection.set(["rod_1"])
    length = field(panel, "shape.length")
    assert (length.line.text(), length.line.unit.text()) == ("1000", "mm")
    for typed, metres in (("250", 0.25), ("30 cm", 0.3), ("2*15", 0.03), ("3/4 in", None)):
        enter(qtbot, length.line, typed)
        if metres is not None:
            assert panel.document.model["rod_1"].shape.length == pytest.approx(metres, rel=1e-12)
    assert length.is_wrong  # "3/4 in" reads in two ways, and the sentence says so


@pytest.mark.parametrize(
    ("typed", "radians"), [("90", pi / 2), ("pi/2 rad", pi / 2), ("45 deg", pi / 4), ("0", 0.0)]
)
def test_an_angle_may_be_typed_in_any_unit(qtbot, panel, typed, radians):
    panel.selection.set(["rod_1"])
    enter(qtbot, field(panel, "angle").line, "1")
    enter(qtbot, field(panel, "angle").line, typed)
    assert panel.document.model["rod_1"].angle == pytest.approx(radians, abs=1e-15)


def test_the_law_of_a_motor_is_read_whole(qtbot, panel):
    model = panel.document.model
    law = "0.1*sin(2*pi*t)"  # as a drawn motor has it
    panel.document.edit("Law", put(model, replace(model["motion_1"], law=law)))
    panel.selection.set(["motion_1"])
    line = field(panel, "law").line
    qtbot.waitUntil(lambda: line.width() > 150)
    unit = line.unit.width() + 12  # and the frame
    assert line.fontMetrics().horizontalAdvance(law) < line.width() - unit


def test_a_formula_is_kept_and_its_value_is_told(qtbot, panel):
    panel.selection.set(["rod_1"])
    length = field(panel, "shape.length")
    enter(qtbot, length.line, "2*l")
    assert panel.document.model["rod_1"].shape.length == "2*l"
    assert length.line.text() == "2*l" and length.note.text() == "= 1 m"


@pytest.mark.parametrize(
    ("name", "typed", "part"),
    [
        ("mass", "-1", "must be above 0"),
        ("mass", "0", "must be above 0"),
        ("mass", "3 mm", "kg"),
        ("mass", "nan", "unknown"),
        ("mass", "inf", "unknown"),
        ("mass", "1e999", ""),
        ("mass", "2*unknown", "unknown"),
        ("mass", "1/0", "division by zero"),
        ("mass", "2 +", ""),
        ("shape.length", "0", "must be above 0"),
        ("mass", "0,5", "0.5"),
    ],
)
def test_nonsense_is_refused_at_once_and_the_model_stays(qtbot, panel, name, typed, part):
    panel.selection.set(["rod_1"])
    before, editor = panel.document.model, field(panel, name)
    editor.line.setFocus()
    editor.line.selectAll()
    qtbot.keyClicks(editor.line, typed)
    if typed == "0":  # it may become 0.5
        assert not editor.is_wrong
        qtbot.keyClick(editor.line, Qt.Key.Key_Return)
    assert editor.is_wrong and part in editor.note.text()  # before Enter
    qtbot.keyClick(editor.line, Qt.Key.Key_Return)
    panel.name.setFocus()
    assert panel.document.model is before and not panel.document.undo_stack.can_undo()
    editor.line.setFocus()
    qtbot.keyClick(editor.line, Qt.Key.Key_Escape)
    assert not editor.is_wrong


def test_no_field_of_any_element_takes_a_number_that_is_not_finite(qtbot, panel):
    tried = 0
    for id in ("rod_1", "revolute_1", "motion_1", "spring_1", "disc_1"):
        panel.selection.set([id])
        panel.bring_up_to_date()
        for row in panel.form.rows:
            lines = {LineField: [row.field], FunctionField: [row.field]}.get(type(row.field), [])
            lines = row.field.parts if isinstance(row.field, VectorField) else lines
            for one in lines:
                for typed in ("nan", "inf", "1e400", "-inf"):
                    one.line.setFocus()
                    one.line.setText("")
                    qtbot.keyClicks(one.line, typed)
                    qtbot.keyClick(one.line, Qt.Key.Key_Return)
                    assert one.is_wrong, (id, row.place.name, typed)
                    tried += 1
                one._restore()
    assert tried > 60 and panel.document.model == crank()


def test_mass_is_grey_until_given_and_can_go_back(qtbot, panel):
    panel.selection.set(["disc_1"])
    mass, inertia = field(panel, "mass"), field(panel, "inertia")
    computed = 7850 * pi * 0.1**2 * 0.01
    assert mass.line.text() == ""
    assert float(mass.line.placeholderText()) == pytest.approx(computed, rel=1e-5)  # six digits
    assert not mass.back.isVisible()
    enter(qtbot, mass.line, "2")
    assert panel.document.model["disc_1"].mass == 2.0 and mass.back.isVisible()
    assert float(inertia.line.placeholderText()) == pytest.approx(0.5 * 2 * 0.01, rel=1e-5)
    qtbot.mouseClick(mass.back, Qt.MouseButton.LeftButton)
    assert panel.document.model["disc_1"].mass is None
    assert float(mass.line.placeholderText()) == pytest.approx(computed, rel=1e-5)
    enter(qtbot, mass.line, "3")
    enter(qtbot, mass.line, "")
    qtbot.keyClick(mass.line, Qt.Key.Key_Backspace)
    qtbot.keyClick(mass.line, Qt.Key.Key_Return)
    assert panel.document.model["disc_1"].mass is None


def test_a_material_sets_the_density(panel):
    panel.selection.set(["rod_1"])
    button = field(panel, "density").findChild(MaterialButton)
    assert button.list.actions()[2].text().startswith("Aluminium")
    button.list.actions()[2].trigger()
    assert panel.document.model["rod_1"].density == 2700.0


def test_a_gear_shows_the_radii_of_its_discs(panel):
    panel.document.edit("Draw", gear_train().model)
    panel.selection.set(["mesh_12"])
    shown = [field(panel, f"radius_{n}").line.placeholderText() for n in (1, 2)]
    assert shown == ["0.1", "0.2"]


def test_a_spring_shows_its_drawn_length(panel):
    panel.selection.set(["spring_1"])
    assert field(panel, "free_length").line.placeholderText() == "1"


def test_one_component_of_a_vector_is_edited_alone(qtbot, panel):
    panel.selection.set(["rod_1"])
    enter(qtbot, field(panel, "position").parts[1].line, "0.25")
    assert panel.document.model["rod_1"].position == (0.5, 0.25)
    enter(qtbot, field(panel, "center").parts[0].line, "0.1")
    assert panel.document.model["rod_1"].center == (0.1, 0.0)


def test_a_form_turns_to_another_element_of_the_same_make(qtbot, panel):
    m = Mechanism("Two rods")
    m.rod((0, 0), (1, 0), mass=1.0)
    m.rod((0, 1), (2, 1), mass=5.0)
    panel.document.new(m.model)
    panel.selection.set(["rod_1"])
    mass = field(panel, "mass")
    mass.line.setFocus()
    mass.line.selectAll()
    qtbot.keyClicks(mass.line, "-7")
    form = panel.form
    panel.selection.set(["rod_2"])
    assert field(panel, "mass").line.text() == "5" and not field(panel, "mass").is_wrong
    assert panel.form is form  # rebuilding would take a tenth of a second
    enter(qtbot, field(panel, "mass").line, "6")
    assert (panel.document.model["rod_1"].mass, panel.document.model["rod_2"].mass) == (1.0, 6.0)
    assert panel.name.text() == "rod_2"


def test_a_formula_tells_its_new_value_when_a_parameter_changes(qtbot, panel):
    panel.selection.set(["rod_1"])
    enter(qtbot, field(panel, "shape.length").line, "2*l")
    model = panel.document.model
    panel.document.edit("Change l", put(model, replace(model["l"], value=3.0)))
    assert field(panel, "shape.length").note.text() == "= 6 m"


def test_hints_of_formulas_follow_a_slider_while_it_is_dragged(qtbot, panel):
    panel.selection.set(["rod_1"])
    enter(qtbot, field(panel, "shape.length").line, "2*l")
    model = panel.document.model
    dragged = put(model, replace(model["l"], value=0.75))
    panel.document.preview(dragged)
    assert field(panel, "shape.length").note.text() == "= 1.5 m"
    panel.document.edit("Change l", dragged)
    assert field(panel, "shape.length").note.text() == "= 1.5 m"
    panel.document.undo_stack.undo()
    assert field(panel, "shape.length").note.text() == "= 1 m"


def test_each_edit_is_one_step_of_undo_with_its_name(qtbot, panel):
    panel.selection.set(["rod_1"])
    enter(qtbot, field(panel, "mass").line, "2")
    stack = panel.document.undo_stack
    assert stack.count() == 1 and stack.undo_text() == "Change mass of crank"
    stack.undo()
    assert panel.document.model == crank() and field(panel, "mass").line.text() == ""


def test_enter_without_a_change_makes_no_edit(qtbot, panel):
    panel.document.edit("Thirds", put(panel.document.model, Parameter(id="x", value=1 / 3)))
    panel.selection.set(["x"])
    line = field(panel, "value").line
    line.setFocus()
    qtbot.keyClick(line, Qt.Key.Key_Return)
    panel.name.setFocus()
    assert panel.document.undo_stack.count() == 1
    assert panel.document.model["x"].value == 1 / 3  # all its digits


def test_common_fields_of_several_elements_are_edited_together(qtbot, panel):
    panel.selection.set(["rod_1", "disc_1"])
    density = field(panel, "density")
    enter(qtbot, density.line, "2700")
    model = panel.document.model
    assert (model["rod_1"].density, model["disc_1"].density) == (2700.0, 2700.0)
    assert panel.document.undo_stack.count() == 1
    position = field(panel, "position")
    assert position.parts[0].line.placeholderText() == "several"
    assert "shape.length" not in [row.field.objectName() for row in panel.form.rows]
    panel.selection.set(["rod_1", "spring_1"])
    panel.bring_up_to_date()
    assert [row.place.name for row in panel.form.rows] == []


def test_flags_choices_and_colours(qtbot, panel):
    panel.selection.set(["rod_1"])
    fixed = field(panel, "fixed")
    qtbot.mouseClick(fixed.box, Qt.MouseButton.LeftButton, pos=fixed.box.rect().center() / 4)
    assert panel.document.model["rod_1"].fixed is True
    colour = field(panel, "color")
    colour._fill()
    colour.menu.actions()[2].trigger()
    assert panel.document.model["rod_1"].color.startswith("#")
    colour.menu.actions()[-1].trigger()
    assert panel.document.model["rod_1"].color == ""
    panel.selection.set(["spring_1"])
    acts = field(panel, "acts")
    acts.box.setFocus()
    qtbot.keyClick(acts.box, Qt.Key.Key_Down)
    acts.box.activated.emit(acts.box.currentIndex())
    assert panel.document.model["spring_1"].acts != "both"


def test_another_shape_keeps_the_size(qtbot, panel):
    panel.selection.set(["rod_1"])
    shape = field(panel, "shape")
    shape.box.setCurrentIndex(shape.box.findData("disc"))
    shape.box.activated.emit(shape.box.currentIndex())
    assert panel.document.model["rod_1"].shape == Disc(radius=0.5, thickness=0.01)
    assert field(panel, "shape.radius").line.text() == "0.5"


def test_a_joint_shows_its_points_and_the_point_can_be_moved(qtbot, panel):
    panel.selection.set(["revolute_1"])
    panel.bring_up_to_date()
    titles = [title.strip() for title in panel.form.sections]
    assert titles == ["", "Start", "On ground", "On crank"]  # its clearance first
    row = [r for r in panel.form.rows if r.place.name == "position"][1]
    enter(qtbot, row.field.parts[0].line, "-0.4")
    marker = panel.document.model["revolute_1"].marker_j
    assert panel.document.model[marker].position[0] == -0.4


def test_a_function_takes_formulas_of_its_variable_only(qtbot, panel):
    panel.selection.set(["motion_1"])
    law = field(panel, "law")
    assert law.line.text() == "2*t" and law.line.unit.text() == "rad"
    enter(qtbot, law.line, "sin(3*t) + l")
    assert panel.document.model["motion_1"].law == "sin(3*t) + l"
    law.line.selectAll()
    qtbot.keyClicks(law.line, "x + 1")
    assert law.is_wrong and "'x' is unknown" in law.note.text()
    law.line.selectAll()
    qtbot.keyClicks(law.line, "3 kg*t")
    qtbot.keyClick(law.line, Qt.Key.Key_Escape)
    quantity = field(panel, "quantity")
    quantity.meant.emit("speed")
    assert field(panel, "law").line.unit.text() == "rad/s"


def test_a_function_that_is_a_table_says_so(panel):
    model = panel.document.model
    law = ((0.0, 0.0), (1.0, 2.0), (2.0, 0.0))
    panel.document.edit("Table", put(model, replace(model["motion_1"], law=law)))
    panel.selection.set(["motion_1"])
    assert field(panel, "law").line.text() == "table of 3 points, a cubic spline"
    assert field(panel, "law").line.isReadOnly()
    lines = replace(model["motion_1"], law=Polyline(law), quantity="speed")
    panel.document.edit("Lines", put(model, lines))
    assert field(panel, "law").line.text() == "table of 3 points, straight lines"


def test_without_a_selection_the_model_and_its_run_are_edited(qtbot, panel):
    names = [row.field.objectName() for row in panel.form.rows]
    choices = ("method", "step", "tolerance", "stabilisation", "coordinates")  # of auto
    used = ("t_end", "output_step", *choices)
    expected = [f"settings.{name}" for name in used]
    assert names == ["model.name", "model.description", "model.gravity", *expected]
    enter(qtbot, field(panel, "settings.t_end").line, "2 min")
    assert panel.document.model.settings.t_end == 120.0
    enter(qtbot, field(panel, "model.gravity").parts[1].line, "-1.62")
    assert panel.document.model.gravity == (0.0, -1.62)
    tolerance = field(panel, "settings.tolerance")
    enter(qtbot, tolerance.line, "-1")
    assert tolerance.is_wrong and panel.document.model.settings.tolerance == 1e-10


def test_renaming_in_the_head(qtbot, panel):
    panel.selection.set(["disc_1"])
    panel.bring_up_to_date()
    enter(qtbot, panel.name, "wheel")
    assert panel.document.model["disc_1"].name == "wheel"
    panel.selection.set(["l"])
    panel.bring_up_to_date()
    enter(qtbot, panel.name, "sin")
    assert "l" in panel.document.model and panel.complaint.isVisible()
    enter(qtbot, panel.name, "length_of_it")
    assert "length_of_it" in panel.document.model


def test_the_decimal_comma_is_shown_and_read(qtbot, panel, preferences):
    preferences.set("decimal_comma", True)
    panel.selection.set(["rod_1"])
    assert field(panel, "shape.width").line.text() == "0,04"
    enter(qtbot, field(panel, "shape.width").line, "0,05")
    assert panel.document.model["rod_1"].shape.width == 0.05
    enter(qtbot, field(panel, "shape.width").line, "max(0,01; 0,02)")
    assert panel.document.model["rod_1"].shape.width == 0.02


def test_a_value_that_is_being_typed_survives_edits_elsewhere(qtbot, panel):
    panel.selection.set(["rod_1"])
    mass = field(panel, "mass")
    mass.line.setFocus()
    qtbot.keyClicks(mass.line, "2 k")
    model = panel.document.model
    panel.document.edit("Other", replace(model, name="Another"))
    assert mass.line.text() == "2 k"


KINDS = [
    (cls, dim) for cls in ELEMENTS for dim in (2, 3) if dim in cls.dims and cls.kind != "parameter"
]


@pytest.mark.parametrize(("cls", "dim"), KINDS, ids=lambda v: getattr(v, "__name__", str(v)))
def test_every_element_has_a_form_with_every_field_of_its_declaration(qtbot, preferences, cls, dim):
    document = Document()
    element = cls(id="it")
    document.new(put(planar() if dim == 2 else spatial(), element))
    form = Form(document, preferences, ("it",))
    qtbot.addWidget(form)
    shown = {row.place.name for row in form.rows if not row.place.part}
    for f in fields(cls):
        role = f.metadata.get("role")
        if f.name in element.idle_fields():
            continue
        is_point = role == "ref" and f.metadata["family"] == "marker"
        if role and f.name != "name" and dim in f.metadata.get("dims", (2, 3)) and not is_point:
            assert f.name in shown, f.name
    kinds = (LineField, VectorField, TextField, ChoiceField, FlagField, ColourField, PointsField)
    assert all(isinstance(row.field, kinds) for row in form.rows)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.kind)
def test_every_shape_has_its_sizes_in_the_form(qtbot, preferences, shape):
    document, dim = Document(), shape.dims[0]
    cls = next(c for c in ELEMENTS if c.kind == "body" and dim in c.dims)
    document.new(put(planar() if dim == 2 else spatial(), cls(id="it", shape=shape())))
    form = Form(document, preferences, ("it",))
    qtbot.addWidget(form)
    edited = ("number", "points", "choice", "flag")
    here = [f for f in fields(shape) if dim in f.metadata.get("dims", (2, 3))]
    sizes = {f.name for f in here if f.metadata["role"] in edited} - {"vertices"}
    assert sizes == {row.place.name for row in form.rows if row.place.part == "shape"}


def test_what_is_computed_fits_its_field_too(qtbot):
    line = LineField(str, float, lambda value: None)
    qtbot.addWidget(line)
    line.show()
    line.resize(110, 30)
    line.line.set_unit("kg m^2")
    line.show_value(None, False, "0.000442174")
    shown = line.line.placeholderText()
    assert line.line.fits(shown) and float(shown) == pytest.approx(0.000442174, rel=0.01)
    assert line.line.toolTip() == "0.000442174"
    line.resize(300, 30)
    assert line.line.placeholderText() == "0.000442174"


def test_a_new_name_in_a_field_can_be_made_a_parameter(panel, qtbot):
    panel.selection.set(["rod_1"])
    length = field(panel, "shape.length")
    enter(qtbot, length.line, "l_crank")
    assert length.is_wrong and length.way_out.text() == "Make the parameter l_crank"
    qtbot.mouseClick(length.way_out, Qt.MouseButton.LeftButton)
    model = panel.document.model
    assert model["l_crank"].value == 1.0 and model["rod_1"].shape.length == "l_crank"
    assert "l_crank" in model.view.sliders and panel.document.undo_stack.count() == 1
    length = field(panel, "shape.length")
    assert not length.is_wrong and (length.way_out is None or not length.way_out.isVisible())


@pytest.mark.parametrize("text", ["2*l_crank", "sin", "rod_1", "l_crank +"])
def test_what_is_no_new_name_is_not_offered_as_a_parameter(panel, qtbot, text):
    panel.selection.set(["rod_1"])
    length = field(panel, "shape.length")
    enter(qtbot, length.line, text)
    assert length.is_wrong and (length.way_out is None or not length.way_out.isVisible())
