"""Sentences of the engine reach the user in the language of an installed translation."""

import pytest
from PySide6.QtCore import QTranslator

from engine.errors import EngineError
from engine.files.model_files import load, loads
from gui.look.engine_words import MARK, catalogue, said

WORDS = {
    MARK: "Magyar",
    "There is no '{0}' in the model any more.": "Nincs már '{0}' a modellben.",
    "Cannot open '{0}'. {1}": "'{0}' nem nyitható meg. {1}",
    "It is not a file.": "Ez nem fájl.",
    "must be a number, not {0}.": "szám legyen, ne {0}.",
    "A box needs a width and a height; drag to the opposite corner.": "Kell {0} és {1}.",
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


def test_without_a_translation_nothing_changes(qapp):
    assert said("There is no 'rod' in the model any more.").startswith("There is no")


def test_names_and_numbers_are_put_back(hungarian):
    assert said("There is no 'rod_1' in the model any more.") == "Nincs már 'rod_1' a modellben."
    assert said("Nobody ever says this sentence.") == "Nobody ever says this sentence."


def test_sentences_within_sentences_are_translated(hungarian, tmp_path):
    english = sentence_of(lambda: load(tmp_path))
    assert said(english) == f"'{tmp_path.name}' nem nyitható meg. Ez nem fájl."


def test_what_follows_a_place_is_translated_too(hungarian):
    text = '{"kardan": 1, "dim": 2, "elements": [{"kind": "body", "id": "b", "mass": true}]}'
    english = sentence_of(lambda: loads(text))
    assert said(english) == "Element 'b': 'mass' szám legyen, ne true."


def test_a_translation_with_a_place_too_many_is_not_used(hungarian):
    english = "A box needs a width and a height; drag to the opposite corner."
    assert said(english) == english


def test_messages_and_toasts_speak_it(hungarian, window):
    window.toaster.say("There is no 'x' in the model any more.")
    assert window.toaster.text.text() == "Nincs már 'x' a modellben."
    window.messages.show_message("file", "problem", "There is no 'y' in the model any more.")
    assert window.messages.sentence("file") == "Nincs már 'y' a modellben."


def test_every_sentence_that_is_raised_has_its_template():
    texts = {template.text for template in catalogue()}
    assert "There is no '{0}' in the model any more." in texts
    assert "Select what shall be deleted." in texts
    assert not any(text.startswith('"""') for text in texts)
    assert len(texts) > 400


def test_a_long_toast_stays_within_the_stage(window):
    window.resize(1000, 640)
    window.toaster.say("This is a rather long sentence about something that went wrong. " * 4)
    over, toast = window.toaster.parentWidget(), window.toaster
    assert over.rect().contains(toast.geometry())
    window.toaster.say("Short.")
    assert toast.width() < 160
