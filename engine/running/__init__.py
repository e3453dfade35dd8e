"""Simulating: preparing, stepping, watching and advising."""
