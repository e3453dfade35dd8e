"""Every bench runs in a tiny size; what it measures is no business of the tests."""

import json

import numpy as np
import pytest

from bench import __main__ as program
from bench import loops, redundancy
from bench.chains import angles, chain, finish, steps
from bench.peers.comparison import IDS, TUMBLER, Wanted
from bench.peers.mechanisms import MECHANISMS
from bench.recursion import recursion
from bench.tables import Table
from bench.timing import TINY, best_times
from engine.compiling.system import compile_model
from engine.running.simulate import prepare, run


@pytest.mark.parametrize("name", program.BENCHES)
def test_a_bench_fills_its_tables(name):
    tables = program.BENCHES[name](TINY)
    assert tables
    for table in tables:
        assert table.rows or table.notes
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert table.title in table.text()
        assert table.markdown().count("\n|") == len(table.rows) + 2  # head and rule


def test_the_program_writes_what_it_prints(tmp_path, capsys, monkeypatch):
    table = Table("Numbers", ("n", "x|y"), [(1, 0.5), (2, None)], ["A remark."])
    monkeypatch.setattr(program, "BENCHES", {"numbers": lambda effort: [table]})
    assert program.main(["--quick", "--out", str(tmp_path)]) == 0
    assert table.text() in capsys.readouterr().out
    (data,) = json.loads((tmp_path / "bench.json").read_text("utf-8"))["tables"]
    assert data["rows"] == [{"n": 1, "x|y": 0.5}, {"n": 2, "x|y": None}]
    page = (tmp_path / "bench.md").read_text("utf-8")
    assert "| n | x\\|y |" in page and "| 2 | - |" in page and "- A remark." in page


def test_a_record_takes_the_place_of_the_one_before(tmp_path):
    path, numbers = tmp_path / "results.json", Table("Numbers", ("n",), [(1,)])
    program.record(path, {"load": 1.0}, [numbers, Table("Others", ("n",), [(5,)])])
    program.record(path, {"load": 2.0}, [Table("Numbers", ("n",), [(2,)])])
    kept = {one["title"]: one for one in json.loads(path.read_text("utf-8"))}
    assert kept["Numbers"]["rows"] == [{"n": 2}] and kept["Numbers"]["machine"] == {"load": 2.0}
    assert kept["Others"]["rows"] == [{"n": 5}] and kept["Others"]["machine"] == {"load": 1.0}


@pytest.mark.parametrize("id", MECHANISMS)
def test_other_programs_are_given_the_pose_where_the_reference_starts(id):
    wanted = Wanted(id, 1.0)
    mechanism = MECHANISMS[id](wanted.given)
    start = np.array([[link.start for link in mechanism.links]])
    found = mechanism.observe(start)
    np.testing.assert_allclose(found[0], wanted.values[0], rtol=0, atol=1e-15)
    assert {*MECHANISMS, TUMBLER} == {*IDS}


def test_an_unknown_bench_is_refused_with_the_known_ones(capsys):
    with pytest.raises(SystemExit):
        program.main(["chian"])
    assert "there are chain, space" in capsys.readouterr().err


def test_the_best_time_of_each_action_counts_and_they_take_turns():
    called = []
    best = best_times({"a": lambda: called.append("a"), "b": lambda: called.append("b")}, 3)
    assert called == ["a", "b"] * 3
    assert best.keys() == {"a", "b"} and all(0.0 <= t < np.inf for t in best.values())


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("stabilisation", ["none", "projection"])
def test_the_chain_moves_as_by_the_recursion(dim, stabilisation):
    with recursion() as by_hand:
        if by_hand is not None:
            expected = by_hand.angles(5, 100)
        else:  # no C compiler: Kardan in the plane, without stabilisation, at half the step
            plane = chain(5)
            run = prepare(plane, t_end=0.1, step=5e-4, output_step=0.1, stabilisation="none")
            expected = angles(plane, finish(run))
    compiled = chain(5, dim)
    end = finish(steps(compiled, 100, stabilisation))
    # All are RK4 at about this step, in other coordinates: they differ by its error, below 1e-10.
    np.testing.assert_allclose(angles(compiled, end), expected, rtol=0, atol=1e-9)


def test_the_loop_of_bricard_moves_although_counting_calls_it_rigid():
    results = run(compile_model(loops.orthogonal_bricard()), t_end=0.2, output_step=0.1)
    dof, by_counting, redundant, t, violation, _, ended = redundancy._closure(results)
    assert (dof, by_counting, redundant, t, ended) == (1, 0, 1, 0.2, "done")
    assert violation < 1e-9
    assert np.abs(results.q[-1] - results.q[0]).max() > 0.01
