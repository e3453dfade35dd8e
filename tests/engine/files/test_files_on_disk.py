"""Model files on disk: never half written, and any bytes are a model or a sentence."""

import errno
import os
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.files import encoding
from engine.files import model_files as files
from engine.files.atomic import replace_file
from engine.files.model_files import dumps, load, loads, save
from engine.model.bodies import PlanarBody, PlanarMarker
from engine.model.elements import planar, put
from engine.model.shapes import SHAPES, Rod
from tests.engine.older_settings import BEFORE_VERSION_5

LARGER = put(
    planar("größer"),
    PlanarBody(id="b", name="Stange", shape=Rod(length=1 / 3)),
    PlanarMarker(id="m", body="b"),
)


def open_error(path):
    """The sentence for a file that cannot be opened."""
    with pytest.raises(EngineError) as caught:
        load(path)
    return caught.value.sentence


def test_saving_and_loading_gives_the_model_back(tmp_path):
    path = tmp_path / "größe.json"
    for model in [planar("one"), LARGER]:
        save(model, path)
        assert load(path) == model
        assert load(str(path)) == model
    assert os.listdir(tmp_path) == ["größe.json"]


def test_what_is_no_model_file_is_refused_by_name(tmp_path):
    path = tmp_path / "a.json"
    assert open_error(path) == f"Cannot open '{path}'. No such file or directory."
    assert "It is a folder." in open_error(tmp_path)
    path.write_bytes(b'{"kardan": "\xff"}')
    assert "Byte 13 is not text in UTF-8" in open_error(path)
    path.write_bytes(b"\xef\xbb\xbf" + dumps(LARGER).encode())
    assert load(path) == LARGER  # a mark that some editors put before the text
    path.write_text('{"kardan": 1000}')
    assert open_error(path).startswith(f"Cannot open '{path}'. This file needs a newer Kardan")
    assert "not valid" in open_error("a\0b")
    path.write_text(
        '{"kardan": 1, "dim": 2, "elements": [{"kind": "body", "id": "b", "mass": true}]}'
    )
    with pytest.raises(EngineError) as caught:
        load(path)
    assert caught.value.ids == ("b",)


def test_a_huge_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(files.MAX_SIZE + 1)  # a hole: it takes no room
    assert "larger than 64 MB" in open_error(path)


@pytest.mark.parametrize("broken", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path, monkeypatch, broken, error
):
    path = tmp_path / "a.json"
    save(planar("old"), path)
    before = path.read_bytes()

    def fail(*_):
        raise error

    monkeypatch.setattr(os, broken, fail)
    told = "No space left" if isinstance(error, OSError) else None
    with pytest.raises(EngineError if told else KeyboardInterrupt, match=told):
        save(planar("new"), path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_write_that_stops_in_the_middle_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.json"
    save(planar("old"), path)

    def half(file):
        file.write(b"{")
        raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(EngineError, match=r"Cannot save '.*a\.json': Input/output error"):
        replace_file(path, half, "save")
    assert load(path).name == "old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_model_that_cannot_be_written_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.json"
    save(planar("old"), path)
    with pytest.raises(EngineError):
        save(put(planar(), PlanarBody(id="b", mass=float("inf"))), path)
    assert load(path).name == "old"


def test_saving_keeps_permissions_and_links(tmp_path):
    path, link = tmp_path / "a.json", tmp_path / "link.json"
    save(planar("old"), path)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.chmod(0o640)
    link.symlink_to(path)
    save(planar("new"), link)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert link.is_symlink() and load(path).name == "new"


def test_a_place_that_cannot_be_written_to_is_named(tmp_path):
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "missing" / "a.json", tmp_path / "folder", "a\0b"):
        with pytest.raises(EngineError, match="Cannot save"):
            save(planar(), path)
    assert os.listdir(tmp_path) == ["folder"]


@given(st.binary(max_size=200) | st.text(max_size=100).map(lambda t: t.encode("utf-8", "replace")))
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
def test_any_bytes_are_a_model_or_a_sentence(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "fuzz.json"
    path.write_bytes(content)
    assert open_error(path).startswith(f"Cannot open '{path}'. ")


def test_an_older_version_is_upgraded_step_by_step(monkeypatch):
    def rename(raw):
        """Version 0 called the elements parts."""
        return {**{k: v for k, v in raw.items() if k != "parts"}, "elements": raw["parts"]}

    older = {-1: lambda raw: {**raw, "dim": 2}, 0: rename}
    monkeypatch.setattr(files, "UPGRADES", {**files.UPGRADES, **older})
    model = loads('{"kardan": -1, "parts": [{"kind": "body", "id": "b"}]}')
    assert model == put(planar(settings=BEFORE_VERSION_5), PlanarBody(id="b"))
    with pytest.raises(EngineError, match="does not fit its format version 0"):
        loads('{"kardan": 0, "dim": 2}')
    with pytest.raises(EngineError, match="never been a format version -2"):
        loads('{"kardan": -2}')


def test_a_model_too_large_to_be_read_back_is_not_written(monkeypatch):
    text = dumps(LARGER)
    monkeypatch.setattr(files, "MAX_SIZE", len(text.encode()) - 1)
    with pytest.raises(EngineError, match="more than"):
        dumps(LARGER)


def test_the_example_in_the_documentation_is_a_model_file_as_written_by_the_program():
    page = (Path(__file__).parents[3] / "docs" / "file-format.md").read_text()
    example = re.search(r"```json\n(.*?)```", page, re.DOTALL)[1]
    assert dumps(loads(example)) == example


def test_the_documentation_names_every_role_and_shape():
    page = (Path(__file__).parents[3] / "docs" / "file-format.md").read_text()
    for role in encoding._READERS:
        assert f"| {role} |" in page
    for cls in SHAPES:
        assert f"`{cls.kind}`" in page


def test_everything_is_on_the_disk_before_the_old_file_is_given_up(tmp_path, monkeypatch):
    path, synced = tmp_path / "a.json", []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file).st_size))
    save(planar("new"), path)
    assert synced == [path.stat().st_size]


def test_a_folder_that_refuses_new_files_is_told_with_its_reason(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(EngineError, match=r"Cannot save '.*a\.json': Permission denied"):
        save(planar("new"), tmp_path / "a.json")
