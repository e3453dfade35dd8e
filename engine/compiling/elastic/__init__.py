"""From a drawn beam to the modes, integrals and followers of a flexible body."""
