"""The window as tests use it: every part by its own name."""

from gui.window.main_window import MainWindow


class WholeWindow(MainWindow):
    """A window whose parts are named directly: window.document is window.parts.document.

    Space opens at once, so that a test may go on in the next line.
    """

    def complete(self):
        """Build everything; whoever opens space waits for it."""
        super().complete()
        self.opening.begin = self.opening.run

    @property
    def opening(self):
        """What gets space ready."""
        return self.parts.stages.opening

    @property
    def stage(self):
        """The stage in the plane."""
        return self.parts.stages.planar

    @property
    def stage3d(self):
        """The stage in space, once it was needed; None before."""
        return self.parts.stages.spatial

    @property
    def docks(self):
        """The panels by name."""
        return self.panels

    @property
    def strip(self):
        """The tools with their commands."""
        return self.parts.tools

    @property
    def gimbal(self):
        """The page of the rings; it is made when it is opened first."""
        return self.session.page("gimbal")

    def __getattr__(self, name):
        """A part of the window, one of its panels of results, or what its session does."""
        if name not in ("parts", "session"):  # else the window is not complete yet
            for owner in (self.parts, self.parts.result_panels, self.session):
                if hasattr(owner, name):
                    return getattr(owner, name)
        raise AttributeError(name)
