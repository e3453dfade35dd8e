"""Equations as text: LaTeX, plain lines, programs that run alone."""
