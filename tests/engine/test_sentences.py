"""Sentences of the engine keep their template and arguments, so that they can be translated."""

import ast
from string import Formatter

import pytest

from docs.list_sentences import calls, templates
from engine.errors import EngineError, Sentence, say

CALLS = list(calls())


def test_a_sentence_is_its_text_and_remembers_where_it_came_from():
    sentence = say("Body '{body}' weighs {mass:.3g} kg.", body="rod", mass=0.12345)
    assert sentence == "Body 'rod' weighs 0.123 kg." and isinstance(sentence, Sentence)
    assert sentence.template == "Body '{body}' weighs {mass:.3g} kg."
    assert sentence.arguments == {"body": "rod", "mass": 0.12345}


def test_without_arguments_braces_mean_themselves():
    assert say("A set is written {1, 2}.") == "A set is written {1, 2}."
    assert EngineError("A set is written {1, 2}.").sentence == "A set is written {1, 2}."


def test_an_error_says_a_sentence_as_it_was_said_elsewhere():
    inner = say("'{name}' is gone.", name="x")
    assert EngineError(inner, "x").sentence is inner
    assert (
        str(EngineError("In '{file}': {reason}", file="a", reason=inner)) == "In 'a': 'x' is gone."
    )


def test_every_sentence_is_written_as_a_template():
    assert len(templates()) > 300  # else the calls have other names and nothing was checked
    for path, call in CALLS:
        where = f"{path.name}:{call.lineno}"
        assert not isinstance(call.args[0], ast.JoinedStr), f"{where}: give arguments, no f-string"
        assert "format(" not in ast.unparse(call.args[0]), f"{where}: give arguments, no format()"


@pytest.mark.parametrize(
    ("path", "call"), CALLS, ids=[f"{path.stem}-{call.lineno}" for path, call in CALLS]
)
def test_every_place_of_a_template_gets_its_argument(path, call):
    given = {keyword.arg for keyword in call.keywords}
    if given and isinstance(call.args[0], ast.Constant):
        places = {
            name for _, name, _, _ in Formatter().parse(call.args[0].value) if name is not None
        }
        assert places == given
