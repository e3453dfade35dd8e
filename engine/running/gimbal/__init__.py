"""What a run does near gimbal lock."""
