"""What files of before version 5 ran with where they said nothing."""

from engine.model.elements import Settings

BEFORE_VERSION_5 = Settings(method="rk4", coordinates="absolute", tolerance=1e-8)
