"""Results that grow, forget and are read by another thread meanwhile."""

import numpy as np

from engine.results.blocks import Block
from engine.results.results import Results
from engine.running.simulate import prepare
from tests.run_models import pendulum


def test_results_so_far_do_not_grow_and_old_frames_can_be_forgotten():
    running = prepare(pendulum())
    results = Results(running.compiled, running.settings)
    whole = next(iter(running))  # a short run is one block
    blocks = [Block(*(column[n : n + 40] for column in whole)) for n in range(0, len(whole.t), 40)]
    results.append(blocks[0])
    frozen, n = results.so_far(), len(results)
    copy = frozen.q.copy()
    for block in blocks[1:] * 30:
        results.append(block)
        results.keep_last(100)
        assert len(results) <= 100
    assert len(frozen) == n and np.array_equal(frozen.q, copy)
    assert np.array_equal(results.t[-len(blocks[-1].t) :], blocks[-1].t[-100:])
    assert len(results._columns["t"]) < 1000  # memory stays bounded
