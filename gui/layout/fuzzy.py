"""How well words match a title: whole words first, then their beginnings, then letters in order.

Each typed word gets the best of

    1   it is a word of the title          0.9   a word begins with it
    0.6 it is somewhere in the title       0.3   its letters are there in order, from the start of a word

in the path half of that; the match is their mean, 0 if a word is not found. Of equal matches the shorter
title is better.
"""

import re

WORD, START, INSIDE, SCATTERED = 1.0, 0.9, 0.6, 0.3
IN_PATH = 0.5
LONG = 1e-3  # less for each letter of the title
FEWEST = 3  # letters of a word that may be scattered


def match(typed: list[str], title: str, path: str = "") -> float:
    """How well lower-case words match a lower-case title and its path, 0 to 1."""
    if not typed:
        return 1.0
    total = 0.0
    for word in typed:
        found = max(_match(word, title), IN_PATH * _match(word, path))
        if not found:
            return 0.0
        total += found
    return total / len(typed) - LONG * min(len(title), 200)


def _match(word: str, text: str) -> float:
    """How well one word matches a text."""
    at = text.find(word)
    if at < 0:
        return SCATTERED if len(word) >= FEWEST and _is_scattered(word, text) else 0.0
    best = INSIDE
    while at >= 0:
        if at == 0 or not text[at - 1].isalnum():
            end = at + len(word)
            if end == len(text) or not text[end].isalnum():
                return WORD
            best = START
        at = text.find(word, at + 1)
    return best


def _is_scattered(word: str, text: str) -> bool:
    """Whether the letters of a word are in a text in order, from the start of one of its words."""
    starts = [found.start() for found in re.finditer(rf"\b{re.escape(word[0])}", text)]
    return any(_follows(word, text, start) for start in starts)


def _follows(word: str, text: str, at: int) -> bool:
    for letter in word:
        at = text.find(letter, at) + 1
        if not at:
            return False
    return True
