"""Items of a tree as Python sees them."""

from PySide6.QtWidgets import QTreeWidgetItem


def children(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    """The items below an item; `tree.invisibleRootItem()` is the root of all."""
    found = (item.child(n) for n in range(item.childCount()))
    return [child for child in found if child is not None]
