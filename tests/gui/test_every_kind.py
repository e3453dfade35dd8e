"""Every kind of element is walked through every place that must know it.

A place that was forgotten fails with a sentence that says what is missing and where it goes.
"""

from dataclasses import fields, replace
from pathlib import Path

import pytest

import assets
from engine.compiling.checks import problems
from engine.editing import edits
from engine.errors import EngineError
from engine.files.model_files import dumps, loads
from engine.model.attachments import markers_of
from engine.model.elements import references
from engine.running.simulate import run
from gui.export.report.report import report_page
from gui.forms.form import Form
from gui.forms.tree import ModelTree
from gui.forms.words import kind_words
from gui.stages.plane.graphics.views import VIEWS as PLANE_VIEWS
from gui.stages.space.graphics.views import VIEWS as SPACE_VIEWS
from gui.state.document import Document
from gui.state.selection import Selection
from gui.state.visibility import Visibility
from gui.tools import TOOLS
from gui.tools.space import TOOLS3D
from tests.engine.every_kind import CASES, model_with

DOCS = Path(__file__).parents[2] / "docs" / "elements.md"
BODIES = ("body", "particle")  # made by the tools of shapes
NO_TOOL = (*BODIES, "parameter")  # parameters have a panel of their own
NOT_IN_TREE = ("marker",)
NOT_IN_REPORT = ("parameter", "tracer")

walks = pytest.mark.parametrize(
    ("kind", "dim"), [pytest.param(k, d, id=f"{k.kind}-{d}d") for k, d in CASES]
)


def named(kind, dim):
    """A model with one element of a kind that has a name of its own, and its id."""
    model, id = model_with(kind, dim)
    element = replace(model[id], name="walker")
    return replace(model, elements={**model.elements, id: element}), id


@walks
def test_files_hold_every_kind(kind, dim):
    model, id = named(kind, dim)
    assert problems(model) == [], f"the sample of '{kind.kind}' in tests/engine is no sound model"
    again = loads(dumps(model))
    assert again == model, f"a file does not give back what a '{kind.kind}' holds"
    assert type(again[id]) is kind


@walks
def test_forms_show_every_field_of_every_kind(qtbot, preferences, kind, dim):
    model, id = named(kind, dim)
    document = Document()
    document.new(model)
    form = Form(document, preferences, (id,))
    qtbot.addWidget(form)
    shown = {row.place.name for row in form.rows}
    for f in fields(kind):
        hidden = f.metadata.get("family") in ("marker", "body") or f.name in ("id", "name")
        hidden = hidden or f.name in model[id].idle_fields()
        if not hidden and dim in f.metadata.get("dims", (2, 3)) and kind.kind != "parameter":
            assert f.name in shown, f"the form of a '{kind.kind}' lacks '{f.name}': gui/forms"


@walks
def test_the_tree_lists_every_kind_with_an_icon(qtbot, kind, dim):
    if kind.kind in NOT_IN_TREE:
        return
    model, id = named(kind, dim)
    document = Document()
    document.new(model)
    tree = ModelTree(document, Selection(), Visibility())
    qtbot.addWidget(tree)
    assert tree.items[id].text(0) == "walker", f"the tree does not list a '{kind.kind}'"
    icon = assets.ICONS / f"{kind.kind}.svg"
    assert icon.is_file(), f"'{kind.kind}' has no icon: draw assets/icons/{kind.kind}.svg"
    assert kind_words(kind.kind, dim)


@walks
def test_a_tool_makes_every_kind(kind, dim):
    tools = TOOLS if dim == 2 else TOOLS3D
    made = {made for tool in tools for made in tool.makes} | set(NO_TOOL)
    assert kind.kind in made, (
        f"no tool makes a '{kind.kind}' in {'the plane' if dim == 2 else 'space'}: declare its `making`, "
        "or list a tool of its own in gui/tools"
    )


@walks
def test_every_kind_is_drawn_on_its_stages(kind, dim):
    if kind.kind == "parameter":
        return  # a number has no place
    if dim == 2:
        assert kind in PLANE_VIEWS, (
            f"the plane does not draw a '{kind.kind}': gui/stages/plane/graphics, by its family"
        )
    assert kind in SPACE_VIEWS, (
        f"space does not draw a '{kind.kind}': gui/stages/space/graphics, by its family"
    )


@walks
@pytest.mark.parametrize("direction", ("left-right", "top-bottom"))
def test_every_kind_has_an_image_in_a_mirror(kind, dim, direction):
    model, id = named(kind, dim)
    bodies = [body.id for body in model.of("body")]
    try:
        image = edits.mirrored(model, bodies, direction)
    except EngineError as error:
        assert "upside down" in error.sentence, error.sentence  # a disc on a floor
        return
    assert type(image[id]) is kind and problems(image) == []
    back = edits.mirrored(image, bodies, direction)[id]
    for f in fields(kind):
        value, again = getattr(model[id], f.name), getattr(back, f.name)
        if isinstance(value, float | tuple):  # the middle of the bodies is rounded
            again, value = again, pytest.approx(value, abs=1e-12)
        assert again == value, (
            f"two mirrors change '{f.name}' of a '{kind.kind}': engine/editing/edits/mirroring.py"
        )


@walks
def test_every_kind_is_copied_with_what_it_rests_on(kind, dim):
    model, id = named(kind, dim)
    chosen = [e.id for e in model]
    after, _ = edits.duplicated(model, chosen, (0.1,) * dim)
    if kind.kind == "parameter":
        return  # the copy uses the one that is there
    twins = [e for e in after if e.id not in model and type(e) is kind and e.name[:6] == "walker"]
    assert len(twins) == 1, (
        f"a copy of a '{kind.kind}' is not made: engine/editing/edits/clipboard.py"
    )
    (twin,) = twins
    assert twin.id != id and len(markers_of(twin)) == len(markers_of(model[id]))
    assert not set(references(twin)) & set(references(model[id])) - {"ground"}
    assert problems(after) == []


@walks
def test_the_report_tells_of_every_kind(kind, dim):
    if kind.kind in NOT_IN_REPORT:
        return
    model, _ = named(kind, dim)
    page = report_page(run(model, t_end=0.02))
    assert "walker" in page, (
        f"the report does not list a '{kind.kind}': gui/export/report/report.py"
    )


@walks
def test_the_page_of_elements_explains_every_kind(kind, dim):
    heading = f"### {kind.kind}"
    page = DOCS.read_text(encoding="utf-8")
    assert f"\n{heading}," in page or f"\n{heading}\n" in page, (
        f"docs/elements.md has no '{kind.kind}': run docs/make_element_tables.py"
    )
