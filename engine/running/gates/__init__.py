"""Rows that hold on one side only, in a run: impacts, and which of them carry load afterwards."""
