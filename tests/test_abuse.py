"""A short part of `python -m tests.abuse`; that of the window is in tests/gui/window/test_monkey.py."""

from tests.abuse import commands, disks, files, meshes
from tests.abuse.report import Record, Tally

BUSY = 60  # s: how long one file may take here; the abuse itself counts 5 s as a hang


def test_hostile_model_files_are_refused_run_or_stopped(tmp_path):
    tally = Tally("files")
    files.abuse(tally, 20261118, 120, tmp_path, lambda: None, patience=BUSY)
    assert tally.tried == 120 and not tally.findings, "\n".join(tally.findings)
    assert tally.outcomes["refused"] > 20 and tally.outcomes["run"] > 2


def test_hostile_meshes_are_read_or_refused(tmp_path):
    tally = Tally("meshes")
    meshes.abuse(tally, 20261118, 400, tmp_path, lambda: None, patience=BUSY)
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
    record.of("files").find("hang", "file 7")
    record.of("files").seeds.append(3)
    record.write()
    again = Record(tmp_path / "abuse.json").of("files")
    assert again.findings == ["hang: file 7"] and again.seeds == [3] and again.outcomes["hang"] == 1
