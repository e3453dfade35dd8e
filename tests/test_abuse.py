"""A short part of `python -m tests.abuse`: hostile files and meshes are read, or refused in a sentence."""

from tests.abuse import files, meshes
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


def test_an_abuse_that_finds_something_keeps_it(tmp_path):
    record = Record(tmp_path / "abuse.json")
    record.of("files").find("hang", "file 7")
    record.of("files").seeds.append(3)
    record.write()
    again = Record(tmp_path / "abuse.json").of("files")
    assert again.findings == ["hang: file 7"] and again.seeds == [3] and again.outcomes["hang"] == 1
