"""The menu of a right click: what can be plotted, added and done with the selection."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu

from engine import edits
from engine.model import Id
from gui.icons import icon

COMMANDS = (
    *("cut", "copy", "paste", "duplicate", "delete", "-", "rename", "hide", "-"),
    *("mirror_x", "mirror_y", "align:"),
)
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


def _add_edits(menu: QMenu, window: Any, ids: tuple[Id, ...]) -> None:
    """What may be added to a joint, and whether a body is part of the ground."""
    model = window.document.model
    families = {model[id].family for id in ids if id in model}

    def edit(words: str, label: str, work: Callable[[Any], Any], symbol: str) -> None:
        action = menu.addAction(icon(symbol), words)
        action.triggered.connect(lambda _=False: window.edits.edit(label, work))

    if families == {"body"} and model.dim == 2:
        edit(
            _tr("Part of the &ground"),
            _tr("Change the ground"),
            lambda m: (edits.with_ground_toggled(m, ids), None),
            "ground",
        )
        menu.actions()[-1].setCheckable(True)
        menu.actions()[-1].setChecked(all(model[id].fixed for id in ids))
        menu.addSeparator()
    if families == {"joint"} and len(ids) == 1 and model.dim == 2:
        joint = ids[0]
        if model[joint].kind in ("revolute", "rod"):
            branch = menu.addAction(icon("other_branch"), _tr("Other &branch at this joint"))
            branch.triggered.connect(lambda _=False: window.remedies.other_branch(joint))
        if not edits.coordinates(model, joint):
            return
        for words, label, work, symbol in (
            (_tr("Add a mo&tion"), _tr("Add a motion"), _motion, "motion"),
            (_tr("Add a m&otor"), _tr("Add a motor"), _motor, "actuator"),
            (_tr("Add a &spring"), _tr("Add a spring"), _spring, "torsion_spring"),
            (_tr("Add &damping"), _tr("Add damping"), _damping, "joint_damping"),
            (_tr("Add sto&ps"), _tr("Add stops"), _stops, "joint_limits"),
        ):
            edit(words, label, lambda m, work=work: _selecting(work(m, joint)), symbol)
        menu.addSeparator()


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
