"""Each promise of docs/reliability.md has its test, and nothing in the program knows of a network."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("rotations", "engine", "gui", "kardan", "assets")
NETWORK = {"socket", "ssl", "http", "ftplib", "smtplib", "requests", "QtNetwork", "urllib.request"}


def test_the_tests_that_promises_name_exist():
    page = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
    promised = set(re.findall(r"`(test_\w+)`", page))
    there = {
        node.name
        for path in (ROOT / "tests").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    assert len(promised) > 20 and promised <= there, promised - there
    assert all((ROOT / path).exists() for path in re.findall(r"`(tests/\S+\.py)`", page))


def test_nothing_imports_what_opens_connections():
    found = []
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, (ast.Import, ast.ImportFrom)):
                    continue
                names = [alias.name for alias in node.names]
                module = getattr(node, "module", None) or ""
                if NETWORK & {module, *names}:
                    found.append(f"{path.relative_to(ROOT)}: {module} {names}")
    assert not found, found
