"""How well words match a title: whole words first, then their beginnings, then letters in order.

Each typed word gets the best of

    1   it is a word of the title          0.9   a word begins with it
    0.8 another word for it is one         0.6   it is somewhere in the title
    0.4 a word, or the beginning of one, differs by a slip of the fingers, where slips are forgiven
    0.3 its letters are there in order, from the start of a word

in the path half of that; the match is their mean, 0 if a word is not found. Of equal matches the shorter
title is better. The order of the words does not matter.
"""

import re
from functools import lru_cache

from gui.layout.synonyms import others

WORD, START, ALIKE, INSIDE, SLIP, SCATTERED = 1.0, 0.9, 0.8, 0.6, 0.4, 0.3
IN_PATH = 0.5
LONG = 1e-3  # less for each letter of the title
FEWEST = 3  # letters of a word that may be scattered
SLIPS = ((8, 2), (5, 1))  # from so many letters on, so many of them may be wrong


def match(typed: list[str], title: str, path: str = "", *, forgives: bool = False) -> float:
    """How well lower-case words match a lower-case title and its path, 0 to 1."""
    if not typed:
        return 1.0
    total = 0.0
    for word in typed:
        found = max(_match(word, title, forgives), IN_PATH * _match(word, path, forgives))
        if not found:
            return 0.0
        total += found
    return total / len(typed) - LONG * min(len(title), 200)


def _match(word: str, text: str, forgives: bool) -> float:
    """How well one word matches a text."""
    best = _place(word, text)
    if best < ALIKE and not others(word).isdisjoint(_words(text)):
        return ALIKE
    if not best and forgives and any(_is_slip(word, one) for one in _words(text)):
        return SLIP
    if not best and len(word) >= FEWEST and _is_scattered(word, text):
        return SCATTERED
    return best


def _place(word: str, text: str) -> float:
    """By where a word is in a text; 0 if it is not."""
    best, at = 0.0, text.find(word)
    while at >= 0:
        best = max(best, INSIDE)
        if at == 0 or not text[at - 1].isalnum():
            end = at + len(word)
            if end == len(text) or not text[end].isalnum():
                return WORD
            best = START
        at = text.find(word, at + 1)
    return best


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(re.findall(r"\w+", text))


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


@lru_cache(maxsize=65536)
def _is_slip(typed: str, word: str) -> bool:
    """Whether a word, its beginning, or another word for it differs by few letters from what was typed."""
    most = next((slips for length, slips in SLIPS if len(typed) >= length), 0)
    if not most:
        return False
    meant = (word, *(one for one in others(word) if word in others(one)))
    beginnings = {one[: len(typed) + extra] for one in meant for extra in range(-most, most + 1)}
    return any(
        _slips(typed, one) <= most
        for one in beginnings
        if len(one) > most + 1 and _may_be_alike(typed, one, most)
    )


def _may_be_alike(a: str, b: str, most: int) -> bool:
    """Whether few letters of one word are missing in the other: each of them costs a slip."""
    first, second = set(a), set(b)
    return len(first - second) <= most and len(second - first) <= most


def _slips(a: str, b: str) -> int:
    """How many letters are wrong, missing, too many, or two of them swapped."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row = row, [i]
        for j, y in enumerate(b, 1):
            best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y))
            if before and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before = above
    return row[-1]
