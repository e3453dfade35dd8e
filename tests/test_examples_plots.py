"""Every example opens with plots that tell something."""

import numpy as np
import pytest

from assets.make_examples import EXAMPLES, model_of
from engine.running.simulate import glimpse, run


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_has_two_or_three_plots_in_which_something_moves(name):
    model = model_of(EXAMPLES[name])
    plots = model.view.plots
    assert 2 <= len(plots) <= 3
    results = glimpse(model)
    if not np.ptp(results.q, axis=0).any():
        results = run(model)  # it begins to move later
    known = {channel.name for channel in results.channels()}
    for plot in plots:
        assert set(plot.names) <= known
    spans = [float(np.ptp(results[name])) for plot in plots for name in plot.names]
    assert max(spans) > 0.0
