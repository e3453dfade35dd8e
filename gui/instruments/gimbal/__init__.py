"""The gimbal rings and the twin beside them."""
