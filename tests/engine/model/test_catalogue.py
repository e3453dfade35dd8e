"""The catalogue answers for every kind there is, and helps with those there are not."""

from itertools import product

import pytest

from engine.errors import EngineError
from engine.model.catalogue import ELEMENTS, element_class, kinds, suggestion


def test_every_kind_is_found_where_it_exists_and_only_there():
    assert len(ELEMENTS) > 30
    for element, dim in product(ELEMENTS, (2, 3)):
        found_here = {e for e in ELEMENTS if e.kind == element.kind and dim in e.dims}
        if found_here:
            assert {element_class(element.kind, dim)} == found_here  # one class for each kind
            assert element.kind in kinds(dim)
        else:
            assert element.kind not in kinds(dim)
            with pytest.raises(EngineError, match=f"'{element.kind}' exists in .* only, not in "):
                element_class(element.kind, dim)


@pytest.mark.parametrize(
    ("word", "known", "words"),
    [
        ("rood", ("box", "rod", "disc"), "; did you mean 'rod'?"),
        ("zzz", ("box", "rod"), "; there are box, rod."),
        ("zzz", tuple(f"kind{n}" for n in range(12)), "; there are kind0, "),
        ("zzz", tuple(f"kind{n}" for n in range(13)), "."),  # too many to be of help
        ("zzz", (), "."),
    ],
)
def test_an_unknown_word_is_answered_with_the_nearest_known_or_with_a_short_list(
    word, known, words
):
    assert suggestion(word, known).startswith(words)
    assert suggestion(word, known).endswith((".", "?"))


def test_a_word_of_any_length_is_cut_to_a_line():
    with pytest.raises(EngineError) as caught:
        element_class("z" * 10_000, 2)
    assert f"'{'z' * 40}'" in caught.value.sentence and len(caught.value.sentence) < 100
