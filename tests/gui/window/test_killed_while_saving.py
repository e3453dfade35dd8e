"""Killing the program while it saves never loses the old file: it is the old model or the new one."""

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from engine.editing.builder import Mechanism
from engine.files.model_files import dumps, load, save

ROOT = Path(__file__).parents[3]
KILLS = 60
LETTERS = 2_000_000  # of the description: most of a save is writing, so that kills fall into it

# A process that has loaded everything makes copies of itself; each saves models in turn into one
# file until it is killed. So a kill costs milliseconds.
SAVER = """
import os, sys
from gui.state.document import Document
from engine.files.model_files import dumps, load

def save_for_ever(path, models):
    document = Document()
    print(os.getpid(), flush=True)
    while True:
        for model in models:
            document.edit("other", model)
            document.save(path)
            print("saved", flush=True)

path, models = sys.argv[1], [load(other) for other in sys.argv[2:]]
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        save_for_ever(path, models)
    os.waitpid(child, 0)
    print("gone", flush=True)
"""


def long_model(name):
    """A rod with a long description, so that the file is large."""
    mechanism = Mechanism(name)
    mechanism.rod((0, 0), (1, 0), mass=1)
    return replace(mechanism.model, description=name[0] * LETTERS)


def kill_savers(script, path, others):
    """The text of the file after each kill of a process that was saving at that moment."""
    chance = random.Random(5)
    command = [sys.executable, "-c", script, str(path), *map(str, others)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as host:
        for _ in range(KILLS):
            host.stdin.write("save\n")
            host.stdin.flush()
            child = int(host.stdout.readline())
            for _ in range(chance.randint(0, 3)):  # whole saves before the one that is torn
                assert host.stdout.readline() == "saved\n"
            time.sleep(chance.uniform(0.0, 0.03))
            os.kill(child, signal.SIGKILL)
            while host.stdout.readline() != "gone\n":
                pass
            yield path.read_text(encoding="utf-8")


def test_a_kill_at_any_moment_of_saving_leaves_a_whole_file(tmp_path):
    models = {name: long_model(name) for name in ("old", "new")}
    others = [tmp_path / f"{name}.json" for name in models]
    for other, model in zip(others, models.values()):
        save(model, other)
    path = tmp_path / "model.json"
    save(models["old"], path)
    whole = {dumps(model) for model in models.values()}
    found = set()
    for text in kill_savers(SAVER, path, others):
        assert text in whole
        found.add(text)
    assert found == whole  # else no save ever ended, and the kills proved nothing
    assert load(path).name in models


def test_the_kills_do_fall_into_saves(tmp_path):
    # A saver that writes in place loses the file under the same treatment.
    clumsy = SAVER.replace("document.save(path)", "open(path, 'w').write(dumps(model))")
    assert clumsy != SAVER
    path, other = tmp_path / "model.json", tmp_path / "other.json"
    for target in (path, other):
        save(long_model("old"), target)
    whole = other.read_text(encoding="utf-8")
    assert any(text != whole for text in kill_savers(clumsy, path, [other]))
