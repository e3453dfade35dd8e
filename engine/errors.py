"""The one exception for what the user can mend."""


class EngineError(Exception):
    """A sentence for the user: what is wrong, where, and how to mend it.

    `ids` are the elements concerned, so that a window can select them.
    """

    def __init__(self, sentence: str, *ids: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.ids = ids
