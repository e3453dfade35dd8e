"""What the engine says to the user: sentences that can be translated, and an exception that carries one."""

from typing import Any


class Sentence(str):
    """A finished sentence that remembers the template and the arguments it was made from.

    It is a string like any other. A window looks its template up in another language and fills it again.
    """

    __slots__ = ("arguments", "template")

    template: str
    arguments: dict[str, Any]


class Length(float):
    """A length in a sentence [m]: in mm or m, or in the unit of the user where a window knows it."""

    def __format__(self, spec: str) -> str:
        """The number with its unit."""
        return f"{self * 1e3:.3g} mm" if self < 1.0 else f"{float(self):.3g} m"


def say(template: str, /, **arguments: Any) -> str:
    """The sentence of a template such as "Body '{body}' has no mass." and its arguments.

    Without arguments it is the sentence itself.
    """
    sentence = Sentence(template.format(**arguments) if arguments else template)
    sentence.template, sentence.arguments = template, arguments
    return sentence


class EngineError(Exception):
    """A sentence for the user: what is wrong, where, and how to fix it.

    Its arguments are those of `say`, or one finished sentence. `ids` are the elements concerned, so that a
    window can select them.
    """

    def __init__(self, sentence: str, /, *ids: str, **arguments: Any) -> None:
        is_said = isinstance(sentence, Sentence)
        self.sentence: str = sentence if is_said else say(sentence, **arguments)
        self.ids = ids
        super().__init__(self.sentence)
