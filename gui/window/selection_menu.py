"""The menu of a right click: what can be plotted, added and done with the selection."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu

from engine.editing import edits
from engine.model.attachments import reads_axes
from engine.model.elements import Id
from engine.model.joints.freedom import freedom
from gui.look.icons import icon

COMMANDS = (
    *("cut", "copy", "paste", "duplicate", "delete", "-", "rename", "hide", "-"),
    *("mirror_x", "mirror_y", "align:"),
)
Entry = tuple[str, str, Callable[[Any], Any], str]  # words, label of the step, edit, symbol
ON_EMPTY_STAGE = ("paste", "select_all", "-", "fit", "grid", "show_all", "-", "gallery")


def selection_menu(window: Any, ids: tuple[Id, ...]) -> QMenu:
    """The menu for these elements, or for the empty stage."""
    menu = QMenu(window)
    menu.setToolTipsVisible(True)
    if not ids:
        window.menus.fill(menu, ON_EMPTY_STAGE)
        return menu
    if window.plots is not None:
        _add_plots(menu, window, ids)
    _add_rings(menu, window, ids)
    _add_edits(menu, window, ids)
    window.menus.fill(menu, COMMANDS)
    return menu


def _add_plots(menu: QMenu, window: Any, ids: tuple[Id, ...]) -> None:
    """The submenu of what can be plotted."""
    plots = menu.addMenu(icon("time_plot"), _tr("&Plot"))
    area = window.plots

    def show(work: Callable[[], Any]) -> Callable[..., None]:
        def do(_: bool = False) -> None:
            window.docks["plots"].show()
            window.docks["plots"].raise_()
            work()
            window.first_steps.refresh()

        return do

    usual = plots.addAction(icon("time_plot"), _tr("&Usual curves"))
    usual.triggered.connect(show(lambda: area.plot_ids(list(ids))))
    pair = area.context.catalogue.usual_pair(ids[0]) if len(ids) == 1 else None
    if pair is not None:
        phase = plots.addAction(icon("phase_plot"), _tr("&Phase portrait"))
        phase.triggered.connect(show(lambda: area.add_phase_plot(*pair)))
    choices = area.choices(ids[0]) if len(ids) == 1 else []
    if choices:
        plots.addSeparator()
    for words, channels in choices:
        action = plots.addAction(words)
        action.triggered.connect(show(lambda channels=channels: area.add_time_plot(channels)))
    menu.addSeparator()


def _add_rings(menu: QMenu, window: Any, ids: tuple[Id, ...]) -> None:
    """The gimbal rings of a body in space."""
    model = window.document.model
    one = model.elements.get(ids[0]) if len(ids) == 1 and model.dim == 3 else None
    if one is not None and one.family == "body" and hasattr(one, "inertia"):
        rings = menu.addAction(icon("gimbal"), _tr("Show the &rings"))
        rings.triggered.connect(lambda _=False: window.show_rings(ids[0]))


def _add_edits(menu: QMenu, window: Any, ids: tuple[Id, ...]) -> None:
    """What may be added to a joint, and whether a body is part of the ground."""
    model = window.document.model
    families = {model[id].family for id in ids if id in model}

    def edit(words: str, label: str, work: Callable[[Any], Any], symbol: str) -> None:
        action = menu.addAction(icon(symbol), words)
        action.triggered.connect(lambda _=False: window.edits.edit(label, work))

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
            branch.triggered.connect(lambda _=False: window.remedies.other_branch(joint))
        for words, label, work, symbol in _on_joint(model, joint):
            edit(words, label, work, symbol)
        if model.dim == 3:
            for words, label, work, symbol in _joint_in_space(model, joint):
                edit(words, label, work, symbol)
        menu.addSeparator()


def _on_joint(model: Any, joint: Id) -> list[Entry]:
    """What may be added to a joint that turns or slides."""
    if not edits.coordinates(model, joint):
        return []
    offers = [
        (_tr("Add a mo&tion"), _tr("Add a motion"), _motion, "motion"),
        (_tr("Add a m&otor"), _tr("Add a motor"), _motor, "actuator"),
        (_tr("Add a &spring"), _tr("Add a spring"), _spring, "torsion_spring"),
        (_tr("Add &damping"), _tr("Add damping"), _damping, "joint_damping"),
        (_tr("Add sto&ps"), _tr("Add stops"), _stops, "joint_limits"),
    ]
    return [
        (words, label, lambda m, work=work: _selecting(work(m, joint)), symbol)
        for words, label, work, symbol in offers
    ]


def _body_in_space(ids: tuple[Id, ...]) -> list[Entry]:
    """How bodies in space may be put in order."""

    def upright(m: Any) -> Any:
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


def _joint_in_space(model: Any, joint: Id) -> list[Entry]:
    """How the axis of a joint in space may be turned, and its bodies exchanged."""
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
                    lambda m, axis=axis: (edits.axis_along(m, joint, axis), None),
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


def _motion(model: Any, joint: Id) -> Any:
    turns = next(iter(edits.coordinates(model, joint).values())).is_angle
    return edits.motion(model, joint, 1.0 if turns else 0.1, "speed")


def _motor(model: Any, joint: Id) -> Any:
    return edits.actuator(model, joint, 1.0)


def _spring(model: Any, joint: Id) -> Any:
    return edits.torsional(model, "spring", joint)


def _damping(model: Any, joint: Id) -> Any:
    return edits.torsional(model, "damper", joint)


def _stops(model: Any, joint: Id) -> Any:
    return edits.limits(model, joint)


def _selecting(made: tuple[Any, Id]) -> tuple[Any, tuple[Id, ...]]:
    """The model, and the one id to select."""
    model, id = made
    return model, (id,)


def _tr(text: str) -> str:
    return QCoreApplication.translate("SelectionMenu", text)
