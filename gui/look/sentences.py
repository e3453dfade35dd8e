"""Sentences of the engine in the language of the user.

The engine speaks English, but its sentences carry the template and the arguments they were made from. The
template is looked up in the context "Engine" and filled again; arguments that are sentences themselves are
treated alike. Text without a translation stays English.
"""

from PySide6.QtCore import QCoreApplication

from engine.errors import Sentence


def said(sentence: str) -> str:
    """A sentence of the engine in the language of the user."""
    if not isinstance(sentence, Sentence):
        return sentence
    template = QCoreApplication.translate("Engine", sentence.template)
    if not sentence.arguments:
        return template
    arguments = {
        name: said(value) if isinstance(value, Sentence) else value
        for name, value in sentence.arguments.items()
    }
    try:
        return template.format(**arguments)
    except (IndexError, KeyError, ValueError):  # the translation names a place that does not exist
        return str(sentence)
