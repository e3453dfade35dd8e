"""When a joint ran into its stops, as events on the time line.

Methods that find events within their steps record this themselves, to 1e-9 s. For the others it is found
from the frames.
"""

import numpy as np

from engine.errors import say
from engine.model.forces.joint_forces import JointLimits, meeting
from engine.results.endings import Event
from engine.results.results import Results

MAX_EVENTS = 200  # of one element; more from a rattling joint add nothing new


def stop_events(results: Results) -> list[Event]:
    """The first frame of each contact of a joint with its stops that the run has not recorded."""
    events: list[Event] = []
    recorded = {id for event in results.events for id in event.ids}
    for force in results.compiled.resolved.of("force"):
        if isinstance(force, JointLimits) and len(results) and force.id not in recorded:
            events += _of_limits(results, force)
    return sorted(events)


def _of_limits(results: Results, limits: JointLimits) -> list[Event]:
    """The contacts of one pair of stops."""
    kinds = ("angle", "displacement", "length")
    names = {f"{limits.id}.{kind}" for kind in kinds}
    travel = next(c for c in results.channels() if c.name in names)
    x, label = travel.values, results.model[limits.joint].label
    events = []
    for side, outside in ((-1.0, x < float(limits.low)), (1.0, x > float(limits.high))):
        enters = np.flatnonzero(outside & ~np.concatenate([[False], outside[:-1]]))
        events += [
            Event(
                float(results.t[n]),
                "stop",
                say("{meeting} at t = {t:.4g} s.", meeting=meeting(label, side), t=results.t[n]),
                (limits.id, limits.joint),
            )
            for n in enters[:MAX_EVENTS]
        ]
    return events
