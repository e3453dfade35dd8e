"""Channels have their names before any kernel is compiled."""

import pytest

from assets import example_paths
from engine.compiling.system import compile_model
from engine.files.model_files import load
from engine.kernels import entries
from engine.results.channels import CHANNELS
from engine.results.results import Results


def told(model, **how):
    """All that is told of the channels of a model, but their values."""
    results = Results(compile_model(model, **how))
    found = [
        channel
        for family in CHANNELS
        if family.owner == "model"
        for channel in family.channels(results, None)
    ]
    for family in CHANNELS:
        for owner in model.of(family.owner) if family.owner != "model" else ():
            found += family.channels(results, owner)
    return [(one.name, one.meaning, one.unit, one.frame, one.twin_of) for one in found]


@pytest.fixture
def nothing_compiled(monkeypatch):
    """Entries and laws cannot be called, as if they were not compiled."""

    def refuse(*_):
        raise AssertionError("a kernel was called")

    monkeypatch.setattr(type(entries.measure), "address", property(refuse))
    monkeypatch.setattr(type(entries.measure), "__call__", refuse)


@pytest.mark.parametrize("name", sorted(example_paths()))
def test_names_units_and_words_are_those_of_a_run(name, monkeypatch, request):
    model = load(example_paths()[name])
    known = told(model)
    request.getfixturevalue("nothing_compiled")
    assert told(model, only_names=True) == known and len(known) > 10
