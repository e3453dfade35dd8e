"""The menu of a right click: what can be plotted, added and done with the selection."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu

from engine.editing import edits
from engine.model.attachments import reads_axes
from engine.model.elements import Id, Model
from engine.model.joints.freedom import freedom
from gui.guide.first_steps import FirstSteps
from gui.look.icons import icon
from gui.window.edit_commands import Work
from gui.window.frame import Frame
from gui.window.workbench import Workbench

if TYPE_CHECKING:  # pyqtgraph takes longest of all to load
    from gui.plots.plot_area import PlotArea

COMMANDS = (
    *("cut", "copy", "paste", "duplicate", "delete", "-", "rename", "-"),
    *("hide", "isolate", "see_through", "fit_selection", "-"),
    *("mirror_x", "mirror_y", "align:"),
)
Axis = tuple[float, float, float]
Add = Callable[[Model, Id], tuple[Model, Id]]
Entry = tuple[str, str, Work, str]  # words, label of the step, edit, symbol
ON_EMPTY_STAGE = ("paste", "select_all", "-", "fit", "grid", "show_all", "-", "gallery")


def selection_menu(
    frame: Frame, parts: Workbench, ids: tuple[Id, ...], show_rings: Callable[[Id], object]
) -> QMenu:
    """The menu for these elements, or for the empty stage."""
    menu = QMenu(frame)
    menu.setToolTipsVisible(True)
    if not ids:
        frame.menus.fill(menu, ON_EMPTY_STAGE)
        return menu
    if parts.plots is not None:
        _add_plots(menu, frame, parts.plots, parts.first_steps, ids)
    _add_rings(menu, parts.document.model, ids, show_rings)
    _add_edits(menu, parts, ids)
    frame.menus.fill(menu, COMMANDS)
    return menu


def _add_plots(
    menu: QMenu, frame: Frame, area: "PlotArea", first_steps: FirstSteps, ids: tuple[Id, ...]
) -> None:
    """The submenu of what can be plotted."""
    plots = menu.addMenu(icon("time_plot"), _tr("&Plot"))

    def show(work: Callable[[], object]) -> Callable[..., None]:
        def do(_: bool = False) -> None:
            work()
            frame.show_panel("plots")
            first_steps.refresh()

        return do

    usual = plots.addAction(icon("time_plot"), _tr("&Usual curves"))
    usual.triggered.connect(show(lambda: area.plot_ids(list(ids))))
    pair = area.context.catalogue.usual_pair(ids[0]) if len(ids) == 1 else None
    if pair is not None:
        phase = plots.addAction(icon("phase_plot"), _tr("&Phase portrait"))
        phase.triggered.connect(show(partial(area.add_phase_plot, *pair)))
    choices = area.choices(ids[0]) if len(ids) == 1 else []
    if choices:
        plots.addSeparator()
    for words, channels in choices:
        action = plots.addAction(words)
        action.triggered.connect(show(partial(area.add_time_plot, channels)))
    menu.addSeparator()


def _add_rings(
    menu: QMenu, model: Model, ids: tuple[Id, ...], show_rings: Callable[[Id], object]
) -> None:
    """The gimbal rings of a body in space."""
    one = model.elements.get(ids[0]) if len(ids) == 1 and model.dim == 3 else None
    if one is not None and one.family == "body" and hasattr(one, "inertia"):
        rings = menu.addAction(icon("gimbal"), _tr("Show the &rings"))
        rings.triggered.connect(lambda _=False: show_rings(ids[0]))


def _add_edits(menu: QMenu, parts: Workbench, ids: tuple[Id, ...]) -> None:
    """What may be added to a joint, and whether a body is part of the ground."""
    model = parts.document.model
    families = {model[id].family for id in ids if id in model}

    def edit(words: str, label: str, work: Work, symbol: str) -> None:
        action = menu.addAction(icon(symbol), words)
        action.triggered.connect(lambda _=False: parts.edits.edit(label, work))

    if families == {"body"}:
        edit(
            _tr("Part of the &ground"),
            _tr("Change the ground"),
            lambda m: (edits.with_ground_toggled(m, ids), None),
            "ground",
        )
        menu.actions()[-1].setCheckable(True)
        menu.actions()[-1].setChecked(all(model[id].fixed for id in ids))
        if model.dim == 3:
            for words, label, work, symbol in _body_in_space(ids):
                edit(words, label, work, symbol)
        menu.addSeparator()
    if families == {"joint"} and len(ids) == 1:
        joint = ids[0]
        free = freedom(model[joint], model.dim)
        if model.dim == 2 and (free.is_pin or free.spans):
            branch = menu.addAction(icon("other_branch"), _tr("Other &branch at this joint"))
            branch.triggered.connect(lambda _=False: parts.remedies.other_branch(joint))
        for words, label, work, symbol in _on_joint(model, joint):
            edit(words, label, work, symbol)
        if model.dim == 3:
            for words, label, work, symbol in _joint_in_space(model, joint):
                edit(words, label, work, symbol)
        menu.addSeparator()


def _on_joint(model: Model, joint: Id) -> list[Entry]:
    """What may be added to a joint that turns or slides."""
    if not (free := edits.coordinates(model, joint)):
        return []
    turns = next(iter(free.values())).is_angle
    push = _tr("Add a mo&tor: torque") if turns else _tr("Add a mo&tor: force")
    offers = [
        (_tr("Add a m&otor: speed"), _tr("Add a motor"), _motion, "motion"),
        (push, _tr("Add a motor"), _motor, "actuator"),
        (_tr("Add a &spring"), _tr("Add a spring"), _spring, "torsion_spring"),
        (_tr("Add &damping"), _tr("Add damping"), _damping, "joint_damping"),
        (_tr("Add sto&ps"), _tr("Add stops"), _stops, "joint_limits"),
    ]
    return [
        (words, label, partial(_added, work, joint), symbol)
        for words, label, work, symbol in offers
    ]


def _body_in_space(ids: tuple[Id, ...]) -> list[Entry]:
    """How bodies in space may be aligned."""

    def upright(m: Model) -> tuple[Model, None]:
        for id in ids:
            m = edits.along_world_axes(m, id)
        return m, None

    return [
        (_tr("&Along the world axes"), _tr("Put along the world axes"), upright, "upright"),
        (
            _tr("On the ground &plane"),
            _tr("Put on the ground plane"),
            lambda m: (edits.on_ground_plane(m, ids), None),
            "on_floor",
        ),
    ]


def _joint_in_space(model: Model, joint: Id) -> list[Entry]:
    """How the axis of a joint in space may be turned, and its bodies swapped."""
    if len(edits.markers_of(model[joint])) != 2:
        return []
    found: list[Entry] = []
    if any(reads_axes(model[joint], 3)) and not freedom(model[joint], 3).is_apart:
        flip, turn = _tr("Flip the axis"), _tr("Turn the axis")
        found = [
            (
                _tr("&Flip the axis"),
                flip,
                lambda m: (edits.axis_flipped(m, joint), None),
                "flip_axis",
            )
        ]
        for name, axis in (("x", (1, 0, 0)), ("y", (0, 1, 0)), ("z", (0, 0, 1))):
            found.append(
                (
                    _tr("Axis along &{0}").format(name),
                    turn,
                    partial(_axis_along, joint, axis),
                    "upright",
                )
            )
    swap = _tr("E&xchange the bodies")
    found.append(
        (
            swap,
            swap.replace("&", ""),
            lambda m: (edits.bodies_swapped(m, joint), None),
            "swap_bodies",
        )
    )
    return found


def _motion(model: Model, joint: Id) -> tuple[Model, Id]:
    turns = next(iter(edits.coordinates(model, joint).values())).is_angle
    return edits.motion(model, joint, 1.0 if turns else 0.1, "speed")


def _motor(model: Model, joint: Id) -> tuple[Model, Id]:
    return edits.actuator(model, joint, 1.0)


def _spring(model: Model, joint: Id) -> tuple[Model, Id]:
    return edits.torsional(model, "spring", joint)


def _damping(model: Model, joint: Id) -> tuple[Model, Id]:
    return edits.torsional(model, "damper", joint)


def _stops(model: Model, joint: Id) -> tuple[Model, Id]:
    return edits.limits(model, joint)


def _added(work: Add, joint: Id, model: Model) -> tuple[Model, tuple[Id, ...]]:
    """The model with something added to a joint, and its id to select."""
    after, id = work(model, joint)
    return after, (id,)


def _axis_along(joint: Id, axis: Axis, model: Model) -> tuple[Model, None]:
    """The model with the axis of a joint along an axis of the world."""
    return edits.axis_along(model, joint, axis), None


def _tr(text: str) -> str:
    return QCoreApplication.translate("SelectionMenu", text)
