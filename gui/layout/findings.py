"""What the finder knows: every command of the menus, tools, pages, elements and curves."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from engine.model.elements import Id, Model
from gui.look.icons import icon

BETWEEN = " › "  # between the menus of a path
FAMILIES = ("body", "joint", "force", "motion", "tracer", "trigger", "parameter")


class Finding(NamedTuple):
    """Something that can be done, with where it is otherwise, its key, and why it cannot be done now."""

    title: str
    path: str
    work: Callable[[], object]
    keys: str = ""
    reason: str = ""
    symbol: QIcon = QIcon()
    is_on: bool | None = None  # of a switch


def commands_of(bar: QMenuBar) -> Iterator[Finding]:
    """Every command of the menus, once."""
    seen: set[QAction] = set()
    for top in bar.actions():
        if isinstance(menu := top.menu(), QMenu):
            yield from _of_menu(menu, plain(top.text()), seen)


def _of_menu(menu: QMenu, path: str, seen: set[QAction]) -> Iterator[Finding]:
    menu.aboutToShow.emit()  # some are filled when they are opened
    for action in menu.actions():
        if isinstance(below := action.menu(), QMenu):
            yield from _of_menu(below, path + BETWEEN + plain(action.text()), seen)
        elif (
            action.text() and not action.isSeparator() and action.isVisible() and action not in seen
        ):
            seen.add(action)
            yield _finding(action, path)


def _finding(action: QAction, path: str) -> Finding:
    native = QKeySequence.SequenceFormat.NativeText
    return Finding(
        plain(action.text()).removesuffix(" ..."),
        path,
        action.trigger,
        action.shortcut().toString(native),
        reason_of(action),
        action.icon(),
        action.isChecked() if action.isCheckable() else None,
    )


def reason_of(action: QAction) -> str:
    """Why a command cannot be used now; empty if it can."""
    if action.isEnabled():
        return ""
    return str(action.property("reason") or "") or _tr("Not now.")


def elements_of(model: Model, select: Callable[[Iterable[Id]], object]) -> Iterator[Finding]:
    """Every element that has a row in the tree."""
    for element in model:
        if element.family in FAMILIES:
            words = _tr("Select {0}").format(element.label)
            work = partial(select, [element.id])
            yield Finding(words, _tr("Model"), work, symbol=icon(element.kind))


def curves_of(model: Model, plots: Any, show: Callable[[], object]) -> Iterator[Finding]:
    """Every curve that the menu of an element offers; where there are none, why."""
    if model.elements and not plots.context.catalogue.entries():
        reason = plots.context.catalogue.reason
        yield Finding(
            _tr("Plot a curve"), _tr("Curve"), _nothing, reason=reason, symbol=icon("time_plot")
        )
    for element in model:
        if element.family not in FAMILIES:
            continue
        for title, channels in plots.choices(element.id):
            words = _tr("Plot {0}: {1}").format(element.label, title)
            work = partial(_plot, plots, channels, show)
            yield Finding(words, _tr("Curve"), work, symbol=icon("time_plot"))
            for channel in channels if len(channels) > 1 else ():
                if (axis := channel[-1]) in "xyz":
                    alone = partial(_plot, plots, [channel], show)
                    name = f"{words}, {axis}"
                    yield Finding(name, _tr("Curve"), alone, symbol=icon("time_plot"))


def _plot(plots: Any, channels: list[str], show: Callable[[], object]) -> None:
    plots.add_time_plot(channels)
    show()


def _nothing() -> None:
    """What cannot be done now does nothing."""


def plain(text: str) -> str:
    """The words of a command without the mark of its access key."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Finder", text)
