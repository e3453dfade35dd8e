"""A short part of `python -m tests.abuse`; that of the window is in tests/gui/window/test_monkey.py."""

import os
import signal

from tests.abuse import commands, disks, files, kills, meshes
from tests.abuse.copies import in_a_copy
from tests.abuse.report import Record, Tally

BUSY = 60  # s: how long one file may take here; the abuse itself counts 5 s as a hang


def test_hostile_model_files_are_refused_run_or_stopped(tmp_path):
    tally = Tally("files")
    files.try_files(tally, 20261118, 120, tmp_path, patience=BUSY)
    assert tally.tried == 120 and not tally.findings, "\n".join(tally.findings)
    assert tally.outcomes["refused"] > 20 and tally.outcomes["run"] > 2


def test_hostile_meshes_are_read_or_refused(tmp_path):
    tally = Tally("meshes")
    meshes.try_meshes(tally, 20261118, 400, tmp_path, patience=BUSY)
    assert tally.tried == 400 and not tally.findings, "\n".join(tally.findings)
    assert tally.outcomes["refused"] > 100 and tally.outcomes["read"] > 2


def test_abuses_of_the_command_line_end_with_a_sentence(tmp_path):
    tally = Tally("commands")
    commands.abuse(tally, 20261118, 5, tmp_path, lambda: None)
    assert tally.tried == 5 and not tally.findings, "\n".join(tally.findings)


def test_a_full_disk_leaves_old_files_as_they_were(tmp_path):
    tally = Tally("disks")
    disks.abuse(tally, 20261118, 12, tmp_path, lambda: None)
    assert not tally.findings, "\n".join(tally.findings)
    assert tally.outcomes["refused"] > 3 and tally.outcomes["written"] > 0


def test_an_abuse_that_finds_something_keeps_it(tmp_path):
    record = Record(tmp_path / "abuse.json")
    for seed in (3, 4):
        tally = Tally("files", 10, [seed])
        tally.find("hang", f"file {seed}")
        tally.note("stall", "x.py: f", 0.1 * seed)
        record.add(tally)
    again = Record(tmp_path / "abuse.json").of("files")
    assert again.findings == ["hang: file 3", "hang: file 4"] and again.seeds == [3, 4]
    assert again.tried == 20 and again.outcomes["hang"] == 2
    assert again.longest == {"stall in x.py: f": (2, 0.4)}


def test_a_crash_of_a_copy_is_found():
    tally = Tally("files", seeds=[3])
    in_a_copy(tally, lambda own: own.count("run"))
    in_a_copy(tally, lambda own: os.kill(os.getpid(), signal.SIGKILL))
    assert tally.outcomes == {"run": 1, "crash": 1} and "-9" in tally.findings[0]


def test_kills_while_saving_damage_nothing(tmp_path):
    tally = Tally("saves")
    kills.abuse_saves(tally, 20261118, 10, tmp_path, lambda: None)
    assert tally.outcomes == {"whole": 10}, "\n".join(tally.findings)
