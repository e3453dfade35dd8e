"""Sentences of the engine reach the user in the language of an installed translation."""

import pytest
from PySide6.QtCore import QTranslator

from engine.errors import EngineError, say
from engine.files.model_files import load, loads
from gui.look.sentences import said

WORDS = {
    "There is no '{id}' in the model any more.": "Nincs már '{id}' a modellben.",
    "Cannot open '{name}'. {reason}": "'{name}' nem nyitható meg. {reason}",
    "It is a folder. Give a model file in it.": "Ez mappa.",
    "must be a number, not {raw}.": "szám legyen, ne {raw}.",
    "A box needs {n} sides.": "Kell {0}.",
}


class Hungarian(QTranslator):
    """Knows a few sentences of the engine."""

    def translate(self, context, text, *_):
        """The translation, or nothing."""
        return WORDS.get(text) if context == "Engine" else None


@pytest.fixture
def hungarian(qapp):
    """The application with a translation."""
    translator = Hungarian()
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


def sentence_of(work):
    """What the engine says."""
    with pytest.raises(EngineError) as failure:
        work()
    return failure.value.sentence


GONE = "There is no '{id}' in the model any more."


def test_without_a_translation_nothing_changes(qapp):
    assert said(say(GONE, id="rod")) == "There is no 'rod' in the model any more."


def test_names_and_numbers_are_put_back(hungarian):
    assert said(say(GONE, id="rod_1")) == "Nincs már 'rod_1' a modellben."
    assert said(say("Nobody ever says {this}.", this=1)) == "Nobody ever says 1."


def test_what_is_no_sentence_of_the_engine_stays_as_it_is(hungarian):
    assert said("There is no 'rod' in the model any more.").startswith("There is no")


def test_sentences_within_sentences_are_translated(hungarian, tmp_path):
    english = sentence_of(lambda: load(tmp_path))
    assert said(english) == f"'{tmp_path}' nem nyitható meg. Ez mappa."


def test_what_follows_a_place_is_translated_too(hungarian):
    text = '{"kardan": 1, "dim": 2, "elements": [{"kind": "body", "id": "b", "mass": true}]}'
    english = sentence_of(lambda: loads(text))
    assert said(english) == "Element 'b': 'mass' szám legyen, ne true."


def test_a_translation_with_a_place_too_many_is_not_used(hungarian):
    assert said(say("A box needs {n} sides.", n=2)) == "A box needs 2 sides."


def test_messages_and_toasts_speak_it(hungarian, window):
    window.toaster.say(say(GONE, id="x"))
    assert window.toaster.text.text() == "Nincs már 'x' a modellben."
    window.messages.show_message("file", "problem", say(GONE, id="y"))
    assert window.messages.sentence("file") == "Nincs már 'y' a modellben."


def test_a_long_toast_stays_within_the_stage(window):
    window.resize(1000, 640)
    window.toaster.say("This is a rather long sentence about something that went wrong. " * 4)
    over, toast = window.toaster.parentWidget(), window.toaster
    assert over.rect().contains(toast.geometry())
    window.toaster.say("Short.")
    assert toast.width() < 160
