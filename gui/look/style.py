"""The details of the look that a palette cannot express, as one style sheet per theme."""

import assets
from gui.look.theme import Theme

_SHEET = """
QToolBar { background: @window; border: 0; padding: 3px; spacing: 2px; }
QWidget#top_row { background: @window; border-bottom: 1px solid @line; }
QWidget#rail_of_tools { background: @window; border-right: 1px solid @line; }
QToolButton#rail { font-size: 10px; padding: 2px 0; }
QToolButton#workspace { min-width: 56px; padding: 3px 4px; }
QPushButton#finder { text-align: left; padding: 3px 8px; color: @quiet; }
QToolBar#time { border-top: 1px solid @line; padding: 0; }
QToolBar::separator { background: @line; width: 1px; height: 1px; margin: 4px 5px; }
QToolButton { border: 1px solid transparent; border-radius: 5px; padding: 4px; }
QToolButton:hover { background: @hover; }
QToolButton:pressed { background: @pressed; }
QToolButton:checked { background: @accent_soft; border-color: @accent; }
QToolButton:focus { border-color: @accent; }
QToolButton::menu-indicator { image: none; }
QToolButton[quiet="true"] { padding: 1px 6px; border-radius: 4px; }
QTabBar::tab { padding: 5px 10px; color: @quiet; border: 0; background: transparent;
    border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @ink; }
QTabBar::tab:selected { color: @ink; border-bottom: 2px solid @accent; }
QTabBar::tab:bottom { border-bottom: 0; border-top: 2px solid transparent; }
QTabBar::tab:bottom:selected { border-bottom: 0; border-top: 2px solid @accent; }
QWidget#panel_title { background: @window; border-bottom: 1px solid @line; }
QWidget#panel_title QToolButton { padding: 2px; }
QMenuBar { background: @window; padding: 1px 4px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @hover; color: @ink; }
QMenu { background: @card; border: 1px solid @line; padding: 5px; }
QMenu::item { padding: 5px 26px 5px 8px; border-radius: 4px; }
QMenu::item:selected { background: @accent_soft; color: @ink; }
QMenu::item:disabled { color: @faint; background: transparent; }
QMenu::separator { height: 1px; background: @line; margin: 5px 4px; }
QMenu::icon { padding-left: 4px; }
QStatusBar { background: @window; border-top: 1px solid @line; }
QStatusBar::item { border: 0; }
QToolTip { background: @card; color: @ink; border: 1px solid @line; padding: 4px; }
QLineEdit, QPlainTextEdit, QComboBox, QSpinBox, QDoubleSpinBox {
    background: @paper; color: @ink; border: 1px solid @line; border-radius: 4px; padding: 3px 6px;
    selection-background-color: @accent; selection-color: @paper; }
QLineEdit[tight="true"] { padding: 3px 3px; }
QLineEdit:hover, QComboBox:hover, QPlainTextEdit:hover { border-color: @faint; }
QLineEdit:focus, QComboBox:focus, QPlainTextEdit:focus, QSpinBox:focus { border-color: @accent; }
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled { color: @faint;
    background: @window; }
QLineEdit[wrong="true"], QPlainTextEdit[wrong="true"] { border: 1px solid @problem; }
QComboBox::drop-down { border: 0; width: 18px; }
QComboBox::down-arrow { image: none; width: 0; height: 0; margin-right: 6px;
    border-left: 4px solid @window; border-right: 4px solid @window; border-top: 5px solid @quiet; }
QComboBox QAbstractItemView { background: @card; border: 1px solid @line; color: @ink;
    selection-background-color: @accent_soft; selection-color: @ink; outline: 0; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: 0; width: 18px;
    background: transparent; subcontrol-origin: border; }
QAbstractSpinBox::up-button { subcontrol-position: top right; margin-top: 2px; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; margin-bottom: 2px; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: @hover; }
QAbstractSpinBox::up-arrow, QAbstractSpinBox::down-arrow { image: none; width: 0; height: 0;
    border-left: 4px solid @paper; border-right: 4px solid @paper; }
QAbstractSpinBox::up-arrow { border-bottom: 4px solid @quiet; }
QAbstractSpinBox::down-arrow { border-top: 4px solid @quiet; }
QPushButton { background: @card; border: 1px solid @line; border-radius: 5px; padding: 5px 14px;
    color: @ink; }
QPushButton:hover { background: @hover; border-color: @faint; }
QPushButton:pressed { background: @pressed; }
QPushButton:default { background: @accent; border-color: @accent; color: @paper; font-weight: 600; }
QPushButton:checked { background: @accent_soft; border-color: @accent; }
QPushButton:disabled { color: @faint; background: @window; }
QPushButton:focus { border-color: @accent; }
QTreeView, QListView, QTableView { background: @window; border: 0; outline: 0; color: @ink; }
QTreeView::item { min-height: 24px; border: 0; }
QTreeView::item:hover, QListView::item:hover { background: @hover; }
QTreeView::item:selected, QListView::item:selected { background: @accent_soft; color: @ink; }
QTableView { background: @paper; gridline-color: @line; border: 1px solid @line;
    selection-background-color: @accent_soft; selection-color: @ink; }
QHeaderView::section { background: @window; color: @quiet; border: 0; padding: 4px 6px;
    border-bottom: 1px solid @line; }
QScrollArea { border: 0; background: @window; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: @scroll; border-radius: 4px; margin: 2px; min-height: 28px;
    min-width: 28px; }
QScrollBar::handle:hover { background: @faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: @line; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -5px 0; border-radius: 7px;
    background: @card; border: 1px solid @faint; }
QSlider::handle:horizontal:hover { border-color: @accent; }
QSlider::sub-page:horizontal:disabled { background: @line; }
QProgressBar { border: 0; border-radius: 3px; background: @line; max-height: 6px; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QLabel[role="quiet"] { color: @quiet; }
QLabel[role="section"] { color: @quiet; font-weight: 600; }
QLabel[role="wrong"] { color: @problem; }
QLabel[role="warning"] { color: @warning; }
QLabel[role="title"] { font-size: 13pt; font-weight: 600; }
QLabel#hint { background: @paper; color: @quiet; padding: 2px 8px; border-radius: 6px; }
QFrame#first_steps { background: @notice; border-bottom: 1px solid @line; }
QFrame#card { background: @card; border: 1px solid @line; border-radius: 8px; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QFrame#upright { background: @line; border: 0; }
QCheckBox { spacing: 7px; }
QCheckBox::indicator, QTreeView::indicator { width: 15px; height: 15px;
    border: 1px solid @faint; border-radius: 4px; background: @paper; }
QCheckBox::indicator:hover, QTreeView::indicator:hover { border-color: @accent; }
QCheckBox::indicator:checked, QTreeView::indicator:checked {
    background: @accent; border-color: @accent; image: url(@check); }
QCheckBox::indicator:indeterminate, QTreeView::indicator:indeterminate {
    background: @accent_soft; border-color: @accent; }
QFrame#line { background: @line; max-height: 1px; border: 0; }
"""


def style_sheet(theme: Theme) -> str:
    """The style sheet of a theme."""
    colours = {
        "hover": "#e4e8ed" if theme.is_light else "#323943",
        "pressed": "#d5dbe2" if theme.is_light else "#3b4450",
        "scroll": "#c3cad2" if theme.is_light else "#48525e",
        "accent_soft": theme.accent_soft,
        "notice": theme.notice,
        "accent": theme.accent,
        "window": theme.window,
        "warning": theme.warning,
        "problem": theme.problem,
        "paper": theme.paper,
        "card": theme.card,
        "faint": theme.faint,
        "quiet": theme.quiet,
        "line": theme.line,
        "ink": theme.ink,
        "check": (assets.ICONS / "check.svg").as_posix(),
    }
    sheet = _SHEET
    for name in sorted(colours, key=len, reverse=True):  # "accent_soft" before "accent"
        sheet = sheet.replace(f"@{name}", colours[name])
    return sheet
