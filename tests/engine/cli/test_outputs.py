"""What the command line would write over, or could not write, is refused before it runs."""

import os

import pytest

from engine.cli.commands import main
from engine.files import places
from engine.files.atomic import check_place, replace_file
from engine.files.places import same_file
from kardan import save
from tests.engine.sample_runs import pendulum


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a model, a link to it and a link to the folder; nothing may run."""
    save(pendulum().model, tmp_path / "model.json")
    (tmp_path / "link.json").symlink_to("model.json")
    os.link(tmp_path / "model.json", tmp_path / "twin.json")
    (tmp_path / "here").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path)

    def too_late(*_, **__):
        raise AssertionError("the run has begun")

    monkeypatch.setattr("engine.running.simulate.prepare", too_late)
    for study in ("order", "converge", "compare"):
        monkeypatch.setattr(f"engine.studies.{study}", too_late)
    return tmp_path


SPELLINGS = ("model.json", "./model.json", "here/model.json", "link.json", "twin.json")


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("option", ["--csv", "--npz"])
def test_a_run_does_not_write_over_its_model(folder, capsys, option, spelling):
    before = (folder / "model.json").read_bytes()
    assert main(["simulate", "model.json", option, spelling]) == 2
    assert f"{option} would write over the model '{spelling}' itself" in capsys.readouterr().err
    assert (folder / "model.json").read_bytes() == before


@pytest.mark.parametrize("command", ["order", "converge", "compare"])
def test_a_study_does_not_write_over_its_model(folder, capsys, command):
    more = ["--channels", "rod_1.angle", "--csv", "here/model.json"]
    assert main([command, "model.json", *more]) == 2
    assert "would write over the model" in capsys.readouterr().err


@pytest.mark.parametrize(
    "csv, npz",
    [("out", "out"), ("out", "./out"), ("out", "here/out"), ("a.csv", "here/a.columns.csv")],
)
def test_two_outputs_do_not_share_a_file(folder, capsys, csv, npz):
    assert main(["simulate", "model.json", "--csv", csv, "--npz", npz]) == 2
    said = capsys.readouterr().err
    assert said.startswith("Both ") and f"and --npz would write '{npz}'" in said
    assert not list(folder.glob("*out*")) and not list(folder.glob("*.tmp"))


def test_an_explanation_does_not_write_over_the_model(folder, capsys):
    (folder / "model.json").rename(folder / "m.columns.csv")
    assert main(["simulate", "m.columns.csv", "--csv", "m.csv"]) == 2
    assert "explanation of --csv would write over the model" in capsys.readouterr().err


def test_capitals_make_no_difference_where_the_folder_takes_them_for_one(folder, monkeypatch):
    assert not same_file("out.csv", "OUT.csv") or places._folds_case(folder)
    monkeypatch.setattr(places, "_folds_case", lambda folder: True)
    assert same_file("out.csv", "OUT.csv") and same_file("here/out.csv", "Out.csv")
    assert not same_file("out.csv", "other.csv")


def test_a_file_that_would_not_fit_on_the_disk_is_refused_before_the_run(
    tmp_path, monkeypatch, capsys
):
    save(pendulum().model, tmp_path / "model.json")
    monkeypatch.chdir(tmp_path)
    for option in ("--csv", "--npz"):
        long = ["--t-end", "1e9", "--output-step", "1e-4"]
        assert main(["simulate", "model.json", *long, option, "out"]) == 2
        said = capsys.readouterr().err
        assert "'out' would take about" in said and "GB are free there" in said
        assert not (tmp_path / "out").exists()


def test_a_device_takes_what_is_written_and_stays_a_device(tmp_path, monkeypatch, capsys):
    save(pendulum().model, tmp_path / "model.json")
    monkeypatch.chdir(tmp_path)
    both = ["--csv", os.devnull, "--npz", os.devnull]
    assert main(["simulate", "model.json", "--t-end", "0.1", *both]) == 0
    assert "explained" not in capsys.readouterr().out
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check_place(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    replace_file(pipe, lambda file: file.write(b"words"), "write")
    assert os.read(reader, 99) == b"words" and pipe.is_fifo()
    os.close(reader)
