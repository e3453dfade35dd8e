"""How near contact, friction, force laws with states and wear come to their reference problems, C01 to C25.

The problems and their values are in tests/data/contact.json; each value there was found in two ways, by
closed forms, quadrature, or another program. `python -m tests.validation.contact_references` prints what
each asks for and what is reached, by which method.
"""

from tests.validation import bouncing, meshing, reached, rubbing

DATA = reached.read("contact.json")
PROBLEMS: reached.Problems = {**bouncing.PROBLEMS, **rubbing.PROBLEMS, **meshing.PROBLEMS}


if __name__ == "__main__":
    reached.tell(dict(sorted(PROBLEMS.items())))
