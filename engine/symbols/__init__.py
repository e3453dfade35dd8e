"""The equations of a model in symbols: M, Phi, D, gamma and f, their views, and the reduced equation."""
