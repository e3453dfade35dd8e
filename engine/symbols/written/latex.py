"""Statements and matrices as LaTeX."""

import re

import sympy as sp

from engine.symbols.views import Piece, Section

GREEK = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "rho",
    "sigma",
    "tau",
    "phi",
    "chi",
    "psi",
    "omega",
]
NAMED = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
ALIGNED = 60  # letters of a side that a line may have before it is broken


def latex_of(piece: Piece) -> str:
    """A piece of a statement."""
    if isinstance(piece, str):
        return piece
    names = {s: symbol(str(s)) for s in piece.free_symbols}
    return str(sp.latex(piece, symbol_names=names, mat_delim="["))


def symbol(name: str) -> str:
    """The LaTeX of a symbol such as phidot_1, omegax_2, R11_body, l_crank."""
    if name.startswith("grad|"):
        _, of, by = name.split("|")
        return rf"\frac{{\partial {symbol(of)}}}{{\partial {symbol(by)}}}"
    letter, _, index = name.partition("_")
    virtual = letter.startswith("delta") and letter != "delta"
    letter = letter.removeprefix("delta") if virtual else letter
    dots = 2 if letter.endswith("ddot") else int(letter.endswith("dot") and letter != "dot")
    letter = letter[: -3 - (dots == 2)] if dots else letter
    letter, axes = _split(letter)
    base = rf"\{letter}" if letter in GREEK or letter in ("Phi",) else _upright(letter)
    base = base.replace(r"\phi", r"\varphi")
    base = rf"\{'d' * dots}ot{{{base}}}" if dots else base
    below = [part for part in (_upright(index), axes) if part]
    base = rf"\delta {base}" if virtual else base
    return f"{base}_{{{','.join(below)}}}" if below else base


def _split(letter: str) -> tuple[str, str]:
    """A letter and the axes or numbers that stand directly behind it: omegax, R11, l0, Jxy."""
    for greek in sorted(GREEK, key=len, reverse=True):
        if letter.startswith(greek):
            return greek, letter[len(greek) :]
    found = re.fullmatch(r"([A-Za-z])(\d+|[xyz]{1,2})", letter)
    return (found[1], found[2]) if found else (letter, "")


def _upright(text: str) -> str:
    """A word of several letters upright; single letters and numbers as they are."""
    escaped = text.replace("_", r"\_")
    return escaped if len(text) <= 1 or text.isdigit() else rf"\mathrm{{{escaped}}}"


def latex_document(sections: list[Section]) -> str:
    """Sections as displayed equations, with their headings as comments."""
    lines: list[str] = []
    for section in sections:
        lines.append(f"% {' '.join(section.title.split())}")  # a comment ends with its line
        for statement in section.statements:
            words = f"\\quad\\text{{{_text(statement.says)}}}" if statement.says else ""
            body = " ".join(latex_of(piece) for piece in statement.pieces)
            lines += [r"\[", f"  {body}{words}", r"\]"]
    return "\n".join(lines) + "\n"


def _text(words: str) -> str:
    """Words within mathematics, on one line, with the signs that LaTeX reserves escaped."""
    plain = " ".join(words.strip("'").split())
    return re.sub(r"[&%$#_{}\\^~]", lambda sign: NAMED.get(sign[0], "\\" + sign[0]), plain)
