"""The house rules that a machine can keep."""

import ast
import gc
import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import pytest

from engine import __version__
from engine.model.catalogue import ELEMENTS
from engine.model.forces import FORCES
from engine.model.joints import JOINTS
from engine.model.shapes import SHAPES
from engine.results.channels import CHANNELS

ROOT = Path(__file__).parent.parent
PACKAGES = ("kardan", "rotations", "engine", "gui", "assets")
SOURCES = sorted(
    [ROOT / "main.py", *(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))]
)
ELSEWHERE = [path for name in ("tests", "docs", ".ci") for path in (ROOT / name).rglob("*.py")]
CHECKED = sorted({*SOURCES, *ELSEWHERE})
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])

MAX_LINES = 400  # of a file, blank ones not counted
MAX_MODULES = 15  # of a room
MAX_STATEMENTS = 45  # of a function
MAX_KERNEL_STATEMENTS = 65  # of a kernel, which writes equations out
ALLOCATING = {"array", "zeros", "ones", "empty", "full", "eye", "copy", "concatenate", "arange"}
IDENTITY = ("kind", "family", "dims", "id", "name")


def shown(path):
    """The name of a file from the root of the checkout."""
    return str(path.relative_to(ROOT))


@pytest.fixture(scope="module")
def trees():
    """The syntax of every file; millions of objects, which later tests must not carry along."""
    gc.disable()  # none of them is garbage
    parsed = {path: ast.parse(path.read_text(encoding="utf-8")) for path in CHECKED}
    gc.enable()
    return parsed


def statements(node):
    """All statements inside a node, at any depth."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for one in getattr(node, part, ()):
            if isinstance(one, ast.stmt):
                yield one
            yield from statements(one)


def functions(tree):
    """All functions of a file, methods and nested ones too."""
    return [node for node in statements(tree) if isinstance(node, ast.FunctionDef)]


def is_kernel(function):
    """Whether a function is compiled."""
    names = {ast.unparse(decorator) for decorator in function.decorator_list}
    return bool(names & {"kernel", "inlined", "merged"})


def tracked_files():
    """Every file that belongs to the project and is text."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode == 0:
        paths = [ROOT / line for line in listed.stdout.splitlines()]
    else:  # an unpacked archive
        paths = [*CHECKED, *PAGES, ROOT / "Makefile", ROOT / "pyproject.toml"]
    return [
        path
        for path in paths
        if path.is_file() and path.suffix not in (".png", ".gif", ".stl", ".ttf")
    ]


def test_files_are_short():
    for path in CHECKED:
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        assert len(lines) <= MAX_LINES, f"{shown(path)} has {len(lines)} lines"


def test_functions_are_short(trees):
    for path, tree in trees.items():
        for function in functions(tree):
            count = sum(1 for _ in statements(function))
            limit = MAX_KERNEL_STATEMENTS if is_kernel(function) else MAX_STATEMENTS
            assert count <= limit, f"{shown(path)}: {function.name} has {count} statements"


def documented(path, tree):
    """What must begin with a sentence in a file, with its name."""
    nodes = [("module", tree)] if path.read_text(encoding="utf-8").strip() else []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            nodes.append((node.name, node))
            nodes += [(f.name, f) for f in node.body if isinstance(f, ast.FunctionDef)]
        elif isinstance(node, ast.FunctionDef):
            nodes.append((node.name, node))
    return [(name, node) for name, node in nodes if not name.startswith("_")]


def test_every_module_class_and_public_function_begins_with_a_sentence(trees):
    for path in SOURCES:
        for name, node in documented(path, trees[path]):
            first = (ast.get_docstring(node) or "").partition("\n")[0].strip()
            assert re.search(r"[.:?]\)?$", first), f"{shown(path)}: {name}: {first!r}"


def test_no_code_runs_text_or_hides_errors(trees):
    for path in SOURCES:
        where = shown(path)
        for node in ast.walk(trees[path]):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in ("eval", "exec", "os.system", "__import__"), where
                assert "shell" not in [keyword.arg for keyword in node.keywords], where
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
                assert not {"pickle", "marshal", "shelve", "dill"} & set(names), where
            if isinstance(node, ast.ExceptHandler):
                assert node.type is not None, where


def test_nothing_names_a_machine_or_a_registry():
    home, hosts = (
        r"(?<![\w.])/(home|root|Users|work|opt|mnt)/\w",
        r"(pypi\.org|pythonhosted|artifact)",
    )
    for path in tracked_files():
        if path == Path(__file__):
            continue
        text = path.read_text(encoding="utf-8")
        for pattern in (home, hosts, r"[A-Z]:\\\\Users"):
            found = re.search(pattern, text)
            assert not found, f"{shown(path)}: {found.group()}"


def test_names_say_what_a_thing_is(trees):
    vague = re.compile(r"manager|helper|util|misc|common", re.IGNORECASE)
    for path, tree in trees.items():
        assert not vague.search(path.stem), shown(path)
        for node in statements(tree):
            if isinstance(node, ast.ClassDef):
                assert not vague.search(node.name), node.name


def test_nothing_is_left_unfinished_or_skipped():
    words = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|pytest\.(mark\.)?(skip|xfail)")
    for path in CHECKED:
        if path != Path(__file__):
            found = words.search(path.read_text(encoding="utf-8"))
            assert not found, f"{shown(path)}: {found.group()}"


def test_kernels_allocate_nothing(trees):
    # They are compiled without reference counting: an array made inside would never be freed.
    kernels = 0
    for path in SOURCES:
        for function in filter(is_kernel, functions(trees[path])):
            kernels += 1
            for node in ast.walk(function):
                assert not isinstance(node, ast.List | ast.Dict | ast.Set | ast.ListComp)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                    called = node.func.attr
                    assert called.removesuffix("_like") not in ALLOCATING, function.name
    assert kernels > 50  # else the decorators have other names and nothing was checked


def strides(tree):
    """Where a file counts by itself where the numbers of a body stand: x[7 * k + 3], q.reshape(-1, 7)."""
    states = re.compile(r"(\b|_)(q|v|a|y|dq|dv|q0|v0|y_dot|weight)(_row)?\)?(\[.*\])?$")
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            for part in ast.walk(node.slice):
                if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult | ast.FloorDiv):
                    sides = ast.unparse(part.left), ast.unparse(part.right)
                    if any(re.fullmatch(r"3|6|7|13|36|(\w+\.)*n_[dq]", side) for side in sides):
                        yield ast.unparse(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "reshape" and states.search(ast.unparse(node.func.value)):
                if any(re.search(r"\b(3|6|7|n_\w+|-1)$", ast.unparse(a)) for a in node.args):
                    yield ast.unparse(node)


def test_the_layout_of_the_state_is_asked_for_not_counted(trees):
    for path in SOURCES:
        if shown(path) != "engine/kernels/functions.py":  # its stack holds three numbers per place
            assert not list(strides(trees[path])), shown(path)


@pytest.mark.parametrize(
    "line",
    [
        "x = q[7 * k + 3 : 7 * k + 7]",
        "w = results.v[:, n_d * k + 3]",
        "at = y[len(y) // 13 * 7]",
        "parts = results.q[rows].reshape(-1, n, 7)",
        "parts = dq.reshape(-1, compiled.n_d)",
    ],
)
def test_a_counted_stride_is_found(line):
    assert list(strides(ast.parse(line)))


@pytest.mark.parametrize("catalogue", [ELEMENTS, JOINTS, FORCES, SHAPES, CHANNELS])
def test_catalogues_are_tuples_without_repetition(catalogue):
    assert isinstance(catalogue, tuple)
    assert len(set(catalogue)) == len(catalogue)


@pytest.mark.parametrize("dim", [2, 3])
def test_a_kind_means_one_element_in_each_dimension(dim):
    for catalogue in (ELEMENTS, SHAPES):
        kinds = [one.kind for one in catalogue if dim in one.dims]
        assert len(set(kinds)) == len(kinds)
        assert all(re.fullmatch(r"[a-z][a-z_]*", kind) for kind in kinds)


@pytest.mark.parametrize("element", [*ELEMENTS, *SHAPES], ids=lambda e: e.__name__)
def test_every_field_has_a_unit_or_help(element):
    for field in fields(element):
        if field.name not in IDENTITY:
            told = field.metadata.get("unit") or field.metadata.get("help")
            assert told or field.metadata.get("role") == "ref", field.name


def test_the_version_is_that_of_the_changelog():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    newest = re.search(r"^## \[([^]]+)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert newest and newest.group(1) == project["version"] == __version__


def test_every_make_command_in_the_pages_exists():
    targets = re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text("utf-8"), re.M)
    named = {
        word
        for page in PAGES
        for word in re.findall(r"(?m)(?:^|`)make (\w+)", page.read_text("utf-8"))
    }
    assert {"run", "test"} <= named <= set(targets)


def test_the_hooks_before_a_commit_check_what_make_lint_checks():
    rules = (ROOT / "Makefile").read_text("utf-8").replace("$(PY)", ".venv/bin/python")
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", rules, re.M)
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert recipe
    assert re.findall(r"^\t@?(.+)$", recipe.group(1), re.M) == re.findall(r"entry: (.+)", hooks)


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_every_link_leads_to_a_file(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert target.startswith("http") or (page.parent / target).exists(), target


def rooms_in_the_architecture():
    """The folders that the picture of the house names."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    tree = next(part for part in text.split("```") if "\nrotations/" in part)
    named, house, room = set(), "", ""
    for line in tree.splitlines():
        for indent, folder in re.findall(r"(^ *|(?<=\s))([a-z]\w*)/(?=[\s,;]|$)", line):
            at_start = line.startswith(f"{indent}{folder}/")
            if at_start and not indent:
                house, room = folder, ""
                named.add(folder)
            elif at_start:
                room = folder
                named.add(f"{house}/{room}")
            else:
                named.add("/".join(filter(None, (house, room, folder))))
    return named


def test_the_picture_of_the_house_names_every_room():
    named = rooms_in_the_architecture()
    assert not [name for name in named if not (ROOT / name).is_dir()]
    for path in SOURCES:
        room = path.parent.relative_to(ROOT)
        if len(room.parts) in (1, 2):
            assert room.as_posix() in named, f"{room} is not in ARCHITECTURE.md"


def test_every_file_named_in_the_architecture_exists():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+\.py)`", text)
    assert named
    for path in named:
        found = [ROOT / path, ROOT / "engine" / path]
        assert any(one.exists() for one in found), path


def test_only_tests_of_the_window_need_what_they_share():
    others = [
        path
        for path in ELSEWHERE
        if not {"gui", "abuse"} & {*path.relative_to(ROOT).parts} and path != Path(__file__)
    ]
    assert len(others) > 50
    for path in others:
        if path.is_relative_to(ROOT / "tests"):
            assert "tests.gui" not in path.read_text(encoding="utf-8"), shown(path)


def test_no_room_is_crowded():
    for folder in {path.parent for path in SOURCES}:
        modules = [path.name for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(modules) <= MAX_MODULES, f"{shown(folder)} holds {len(modules)} modules"


def test_the_example_in_the_readme_runs(capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code = next(part for part in text.split("```") if part.startswith("python"))
    done = subprocess.run(
        [sys.executable, "-c", code.removeprefix("python")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert "Freedom:       2 degrees" in done.stdout
    assert len(code.strip().splitlines()) <= 11


def test_qt_keeps_its_references_to_none(qapp):
    # PySide6 6.12.0 loses one in each call that returns nothing; Python 3.11 then aborts.
    from PySide6.QtWidgets import QWidget

    widget = QWidget()
    counts = [sys.getrefcount(None)]
    for _ in range(2):
        for _ in range(500):
            widget.update()
        counts.append(sys.getrefcount(None))
    assert all(after > before - 250 for before, after in pairwise(counts))  # half of 500 calls
