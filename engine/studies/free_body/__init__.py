"""Free-body diagrams: every force and moment on each body at a time, and pictures of them."""

from engine.studies.free_body.diagrams import BodyDiagram, Diagrams, FreeBodies, free_bodies
from engine.studies.free_body.wrenches import Wrench

__all__ = ["BodyDiagram", "Diagrams", "FreeBodies", "Wrench", "free_bodies"]
