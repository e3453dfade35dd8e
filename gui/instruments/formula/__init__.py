"""Formulas on screen: boxes of signs, laid out once and painted by Qt."""
