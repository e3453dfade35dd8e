"""Accuracy made visible: what a step, a method and a stabilisation do to the results of a model.

    order(model, method="rk4").table()                      observed order against the stated one
    converge(model, ["rod_1.angle"]).table()                the 5 % rule, and error bands
    compare(model, methods=["rk4", "heun"]).table()         error, drift, cost and time of several methods

    wear(results, temperatures=(293, 298)).table()          what contacts of a run wear off

The first three run the model several times with frames at the same times. `progress` gets the fraction done
and may return False to cancel; what was found so far is kept. Results write tables, CSV and pictures.
"""

from engine.studies.archard import Film, Wear, wear
from engine.studies.comparison import Comparison, compare
from engine.studies.convergence import Convergence, converge
from engine.studies.orders import Order, order

__all__ = [
    "Comparison",
    "Convergence",
    "Film",
    "Order",
    "Wear",
    "compare",
    "converge",
    "order",
    "wear",
]
