"""Opens a model from whatever file it is in: a model file, or a robot description."""

from pathlib import Path

from engine.files import model_files
from engine.model.elements import Model

URDF = ".urdf"


def load(path: str | Path) -> Model:
    """The model in a model file (*.json) or a robot description (*.urdf)."""
    if not is_description(path):
        return model_files.load(path)
    from engine.editing.robots.urdf import open_urdf  # brings the builder and what reads meshes

    return open_urdf(path)


def is_description(path: str | Path) -> bool:
    """Whether a file is a robot description by its name."""
    return Path(path).suffix.lower() == URDF
