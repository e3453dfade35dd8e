"""One step of a method opened up: stages, Newton's iterations, residuals by name, the matrix behind them.

opened = open_step(model, time=1.0, method="trapezoid_index3", step=0.01)
print(opened.sentence, opened.elimination)
"""

from engine.studies.microscope.opening import SUPPORTED, Opened, open_step

__all__ = ["SUPPORTED", "Opened", "open_step"]
