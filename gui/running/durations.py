"""Durations in everyday words."""

from gui.look.translation import separated


def duration_words(seconds: float) -> str:
    """A rough duration in everyday words."""
    if seconds < 60.0:
        return f"{max(seconds, 1.0):.0f} s"
    minutes = seconds / 60.0
    return f"{minutes:.0f} min" if minutes < 90.0 else separated(f"{minutes / 60.0:.1f} h")
