"""Tell what pip-audit found: 1 where something is vulnerable, or where nothing could be looked up."""

import json
import sys
from pathlib import Path


def told(found: list[dict]) -> tuple[list[str], int]:
    """What to print about the packages, and the exit code."""
    known = [one for one in found if "vulns" in one]
    lines = [
        f"{one['name']} {one['version']}: {fault['id']}, mended in {' '.join(fault['fix_versions']) or '-'}"
        for one in known
        for fault in one["vulns"]
    ]
    unknown = [one["name"] for one in found if "vulns" not in one]
    lines.append(f"{len(known)} packages were looked up, {len(unknown)} are not in the list.")
    if not known:
        lines.append(
            "The list of vulnerabilities cannot be reached from here: nothing was checked."
        )
    return lines, 1 if len(lines) > 1 else 0


if __name__ == "__main__":
    path = Path(sys.argv[1])
    lines, code = told(json.loads(path.read_text())["dependencies"] if path.is_file() else [])
    print("\n".join(lines))
    sys.exit(code)
