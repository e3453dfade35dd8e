"""The command robot: write a model that is a tree as URDF or MJCF, or a robot description as a model file.

robot FILE OUT.urdf          robot FILE OUT.xml          robot FILE.urdf OUT.json
"""

import argparse
from pathlib import Path
from typing import Any

from engine.cli.parameters import add_set, with_set
from engine.cli.study_commands import Console
from engine.errors import say


def add_robot(commands: Any, console: Console) -> None:
    """Add the command to the parser."""
    told = commands.add_parser("robot", help="convert models and robot descriptions (URDF, MJCF)")
    told.add_argument("file", help="a model file, a URDF file, or the name of an example")
    told.add_argument("out", help="a file in .urdf, .xml (MJCF) or .json")
    add_set(told)

    def command(chosen: argparse.Namespace) -> int:
        from engine.editing.robots.writing import write_robot
        from engine.files.model_files import save

        model, out = with_set(console.load(chosen.file), chosen), Path(chosen.out)
        if out.suffix.lower() == ".json":
            save(model, out)
            print(say("Written: {file}", file=str(out)))
            return 0
        remarks = write_robot(model, out)
        print("\n".join([say("Written: {file}", file=str(out)), *remarks]))
        return 0

    told.set_defaults(command=command)
