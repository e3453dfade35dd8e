"""When joints met their stops."""

from engine.editing.builder import Mechanism
from engine.running.simulate import run
from engine.running.stops import stop_events


def dropped_rod(low, high, **settings):
    """A rod that falls from the horizontal between two stops of its pivot."""
    m = Mechanism("Stopped")
    rod = m.rod((0, 0), (1, 0), mass=1)
    pivot = m.revolute("ground", rod, at=(0, 0), name="Pivot")
    m.joint_limits(pivot, low=low, high=high, damping=0.0)
    return run(m.model, **settings)


def test_each_contact_with_a_stop_is_one_event():
    results = dropped_rod(-1.0, 1.0, method="rk4", t_end=2.0, step=1e-4, output_step=1e-3)
    events = stop_events(results)
    angle = results["rod_1.angle"]
    enters = [n for n in range(1, len(angle)) if angle[n] < -1.0 <= angle[n - 1]]
    assert len(enters) > 1
    assert [event.t for event in events] == [results.t[n] for n in enters]
    assert all("Pivot" in event.sentence and "lower" in event.sentence for event in events)
    assert events[0].ids == ("joint_limits_1", "revolute_1")


def test_a_rod_that_never_reaches_its_stops_has_no_events():
    assert stop_events(dropped_rod(-4.0, 4.0, t_end=1.0)) == []


def test_contacts_that_the_run_has_recorded_are_not_told_again():
    results = dropped_rod(-1.0, 1.0, t_end=1.0, method="dop853", output_step=1e-3)
    assert stop_events(results) == []
    met = [e for e in results.events if "meets its lower stop" in e.sentence]
    angle = results["rod_1.angle"]
    enters = [n for n in range(1, len(angle)) if angle[n] < -1.0 <= angle[n - 1]]
    assert len(met) == len(enters) > 0
    assert all(results.t[n - 1] <= e.t <= results.t[n] for e, n in zip(met, enters))
