"""Compiled kernels are kept between processes and never outlive their sources."""

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numba
import pytest

import rotations.jit
from rotations import euler_rates, quaternion_algebra
from rotations.jit import cache, counting, folders, processor, turns

CALLEE = """
from tiny.jit import kernel


@kernel
def factor():
    return {factor}
"""
CALLER = """
from tiny.callee import factor
from tiny.jit import kernel


@kernel
def scaled(x):
    return factor() * x


def answer():
    print(scaled(2.0), sum(scaled.stats.cache_hits.values()))
"""
ASK = "import tiny.caller; tiny.caller.answer()"
# a numba whose inner classes are others
CHANGED = "import numba.core.caching as caching; del caching.CompileResultCacheImpl; "


def process(folder, code=ASK, **variables):
    """What a new process in a folder prints and says aside."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), **variables}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    return done.stdout, done.stderr


def run(folder, code=ASK, **variables):
    """The answer of the tiny package in a new process, and how often its cache was hit."""
    answer, hits = process(folder, code, **variables)[0].split()
    return float(answer), int(hits)


@pytest.fixture
def package(tmp_path):
    """A package of two kernels, one of which calls the other, beside our way to compile them."""
    package = tmp_path / "tiny"
    shutil.copytree(Path(rotations.jit.__file__).parent, package / "jit")
    for path in package.rglob("*.py"):
        path.write_text(path.read_text().replace("rotations.jit", "tiny.jit"))
    (package / "__init__.py").touch()
    (package / "caller.py").write_text(CALLER)
    (package / "callee.py").write_text(CALLEE.format(factor=3.0))
    return package


def test_an_edited_callee_is_never_answered_from_the_cache(tmp_path, package):
    assert run(tmp_path) == (6.0, 0)  # compiled
    assert run(tmp_path) == (6.0, 1)  # from the cache
    (package / "callee.py").write_text(CALLEE.format(factor=5.0))
    assert run(tmp_path) == (10.0, 0)  # compiled anew, although caller.py is as it was


def test_kernels_work_where_nothing_can_be_written(tmp_path, package):
    file = tmp_path / "no_folder"  # a file where the cache should be
    file.touch()
    for _ in range(2):
        assert run(tmp_path, NUMBA_CACHE_DIR=str(file)) == (6.0, 0)
    assert not list(package.rglob("*.nbi"))  # and nowhere else either, where it would grow stale


def test_machine_code_is_found_wherever_the_sources_are(tmp_path, package):
    assert run(tmp_path) == (6.0, 0)
    moved = tmp_path / "elsewhere" / "deeper"
    shutil.copytree(package, moved / "tiny", copy_function=shutil.copyfile)  # new time stamps
    cache = str(tmp_path / "cache")
    assert run(moved, NUMBA_CACHE_DIR=cache) == (6.0, 1)


def emptied(content):
    """Nothing."""
    return b""


def halved(content):
    """The first half."""
    return content[: len(content) // 2]


def flipped(content):
    """One bit in the middle is another."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 16]) + content[middle + 1 :]


@pytest.mark.parametrize("damaged", [emptied, halved, flipped])
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_file_is_as_good_as_none(tmp_path, damaged, ending):
    files = cache.Files(tmp_path, "f")
    files.save("one", [1.0, 2.0])
    files.save("two", (3, 4))
    assert (files.load("one"), files.load("two"), files.load("three")) == ([1.0, 2.0], (3, 4), None)
    for path in tmp_path.glob(f"*.{ending}"):
        path.write_bytes(damaged(path.read_bytes()))
    cache._say_damaged.cache_clear()
    with pytest.warns(RuntimeWarning, match="damaged") as said:
        assert files.load("one") is None and files.load("two") is None
    assert len(said) == 1
    files.save("one", [5.0])
    assert (files.load("one"), files.load("two")) == ([5.0], None)


def test_damaged_kernels_are_compiled_again_and_that_is_said_once(tmp_path, package):
    run(tmp_path)
    for way, name in ((halved, "caller*.nbc"), (flipped, "callee*.nbi")):
        (path,) = (tmp_path / "cache").rglob(name)
        path.write_bytes(way(path.read_bytes()))
    printed, said = process(tmp_path)
    assert printed.split() == ["6.0", "0"] and said.count("was damaged") == 1
    printed, said = process(tmp_path)
    assert printed.split() == ["6.0", "1"] and not said


def test_numbas_own_cache_serves_where_numba_has_changed_inside(tmp_path, package):
    assert run(tmp_path, CHANGED + ASK) == (6.0, 0)
    assert run(tmp_path, CHANGED + ASK) == (6.0, 1)
    assert run(tmp_path) == (6.0, 0)  # ours does not read it
    assert not list(package.rglob("*.nbi"))


def test_a_relative_folder_is_not_followed(tmp_path, package):
    variables = {"NUMBA_CACHE_DIR": "here", "XDG_CACHE_HOME": "there", "LOCALAPPDATA": "there"}
    home = {"HOME": str(tmp_path / "home"), "USERPROFILE": str(tmp_path / "home")}
    assert run(tmp_path, **variables, **home) == (6.0, 0)
    assert not (tmp_path / "here").exists() and not (tmp_path / "there").exists()
    assert list((tmp_path / "home").rglob("*.nbi"))


def test_a_folder_that_others_may_write_to_is_closed_or_not_used(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = folders.cache_folder(tmp_path)
    folder.chmod(0o777)
    assert folders.cache_folder(tmp_path) == folder
    assert folder.stat().st_mode & 0o022 == 0
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    assert folders.cache_folder(tmp_path) is None


def test_two_threads_never_mix_up_their_folders(tmp_path):
    before, asked, found = numba.config.CACHE_DIR, threading.Event(), []

    def enter():
        asked.set()
        with rotations.jit.cached_in(tmp_path / "theirs"):
            found.append(numba.config.CACHE_DIR)

    other = threading.Thread(target=enter)
    with rotations.jit.cached_in(tmp_path / "mine"):
        other.start()
        asked.wait()
        other.join(0.05)  # s; without a lock the other thread enters within this time
        assert not found and str(tmp_path / "mine") == numba.config.CACHE_DIR
    other.join()
    assert found == [str(tmp_path / "theirs")]
    assert before == numba.config.CACHE_DIR


# --- turns


def test_a_second_thread_or_process_waits_for_its_turn(tmp_path):
    asked, entered = threading.Event(), threading.Event()

    def enter():
        asked.set()
        with turns.alone(tmp_path, "work"):
            entered.set()

    other = threading.Thread(target=enter)
    with turns.alone(tmp_path, "work"), turns.alone(tmp_path, "other work"):
        other.start()
        asked.wait()
        assert not entered.wait(0.05)  # s; without a lock the other enters within this time
    other.join()
    assert entered.is_set()


HOLD = """
import sys
from pathlib import Path
from rotations.jit.turns import alone
with alone(Path(sys.argv[1]), "work"):
    print("mine", flush=True)
    sys.stdin.read()
"""


def test_the_turn_of_a_process_that_is_killed_is_over(tmp_path):
    root = str(Path(rotations.__file__).parent.parent)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": root},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout.readline() == b"mine\n"
    holder.kill()
    with turns.alone(tmp_path, "work"):
        pass
    holder.communicate()


def test_where_no_lock_can_be_made_nobody_waits(tmp_path):
    with turns.alone(tmp_path / "missing", "work"), turns.alone(tmp_path / "missing", "work"):
        pass


# --- counting


def test_kernels_are_counted_with_what_they_call():
    reached = counting.needed([quaternion_algebra._matrix_rows])
    names = {kernel.__name__ for kernel in reached}
    assert names == {"_matrix_rows", "matrix_into"}
    rows = counting.kernels_in(quaternion_algebra)
    assert quaternion_algebra._matrix_rows in rows and euler_rates._rates_rows not in rows


def test_kernels_that_are_parts_of_their_callers_are_not_counted(tmp_path):
    inlined = rotations.jit.kernel_decorator(tmp_path, inlined=True)

    @inlined
    def thin(x):
        return quaternion_algebra.matrix_into(x, x)

    kernel = rotations.jit.kernel_decorator(tmp_path)

    @kernel
    def whole(x):
        return thin(x)

    assert counting.needed([whole]) == {whole, quaternion_algebra.matrix_into}


# --- the processor


def test_a_processor_that_has_the_level_is_asked_for_no_more():
    has = dict.fromkeys((*processor.LEVEL_FEATURES, "avx512f"), True)
    chosen = processor.settings(has, {})
    assert chosen[processor.NAME] == "x86-64-v3"
    assert "+avx2" in chosen[processor.FEATURES] and "avx512" not in chosen[processor.FEATURES]


@pytest.mark.parametrize("missing", processor.LEVEL_FEATURES)
def test_an_older_processor_keeps_its_own_type(missing):
    has = {**dict.fromkeys(processor.LEVEL_FEATURES, True), missing: False}
    assert processor.settings(has, {}) == {}


@pytest.mark.parametrize("variable", [processor.NAME, processor.FEATURES])
def test_the_user_may_choose_a_processor(variable):
    has = dict.fromkeys(processor.LEVEL_FEATURES, True)
    assert processor.settings(has, {variable: "generic"}) == {}


COMPILED_FOR = """
import os, subprocess, sys
from numba.core.registry import cpu_target
import rotations.jit
print(cpu_target.target_context.codegen().magic_tuple()[1:])
if len(sys.argv) == 1:
    subprocess.run([sys.executable, __file__, "child"], check=True)
"""


@pytest.mark.parametrize("variables", [{}, {processor.NAME: "generic"}])
def test_this_program_and_its_children_compile_for_the_same_processor(tmp_path, variables):
    (tmp_path / "compiled_for.py").write_text(COMPILED_FOR)
    root = str(Path(rotations.__file__).parent.parent)
    own = {k: v for k, v in os.environ.items() if k not in (processor.NAME, processor.FEATURES)}
    done = subprocess.run(
        [sys.executable, str(tmp_path / "compiled_for.py")],
        env={**own, **variables, "PYTHONPATH": root, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    here, child = done.stdout.splitlines()
    assert here == child
    has_level = processor.settings(processor._host_features(), {})
    expected = variables.get(processor.NAME, has_level.get(processor.NAME))
    assert expected is None or f"'{expected}'" in here
