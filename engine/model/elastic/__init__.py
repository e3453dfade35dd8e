"""What bends: sections of beams."""
