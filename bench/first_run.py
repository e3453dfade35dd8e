"""What a first start does: import, run in the plane and in space, read all channels. Prints seconds."""

import json
from time import perf_counter

BEGAN = perf_counter()


def cranks(dim: int) -> object:
    """Three parallel cranks on one coupler (a redundant loop), driven against a spring, as results."""
    from kardan import Mechanism

    m = Mechanism("cranks", dim, gravity=(0.0, -9.81, 0.0)[:dim])

    def at(x: float, y: float) -> tuple[float, ...]:
        return (x, y, 0.0)[:dim]

    about_z = {"axis": (0, 0, 1)} if dim == 3 else {}
    coupler = m.rod(at(0, 1), at(2, 1), mass=2)
    hinges = []
    for k in range(3):
        crank = m.rod(at(k, 0), at(k, 1), mass=1)
        hinges.append(m.revolute("ground", crank, at=at(k, 0), **about_z))
        m.revolute(crank, coupler, at=at(k, 1), **about_z)
    m.motion(hinges[0], "0.3*sin(2*t)")
    m.spring_damper(("ground", at(3, 2)), (coupler, at(2, 1)), stiffness=50)
    return m.run(t_end=0.1, output_step=0.01)


def phases() -> dict[str, float]:
    """Seconds of each phase; `whole` counts from the start of this module."""
    import engine.results.export
    import engine.running.simulate  # noqa: F401, its import is what is timed

    marks = [BEGAN, perf_counter()]
    results = []
    for dim in (2, 3):
        results.append(cranks(dim))
        marks.append(perf_counter())
    for one in results:
        for channel in one.channels():  # type: ignore[attr-defined]
            channel.values.sum()
    marks.append(perf_counter())
    names = ("import", "plane", "space", "channels")
    spans = {name: after - before for name, before, after in zip(names, marks, marks[1:])}
    return {**spans, "whole": marks[-1] - BEGAN}


if __name__ == "__main__":
    print(json.dumps(phases()))
