"""Tables that are written while a run goes on, so that their memory does not grow with it.

stream.take(table)      some rows in a row, as often as needed, always of the same channels
stream.commit()         the file is whole: it takes the place of an old one
stream.discard()        an old file stays as it was
"""

import os
import tempfile
import zipfile
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np

from engine.errors import EngineError
from engine.files.atomic import Replacement, in_words, is_device
from engine.results.export import Table, csv_rows, csv_texts, npz_words, write_explanation

CSV_BYTES = 20  # of a number as text with all its digits, and a separator
NPZ_BYTES = 16  # of a number: 8 in the file and 8 beside it until the end of the run


class Stream(Protocol):
    """A file that takes rows until it is whole."""

    def take(self, table: Table) -> None:
        """Write some more rows."""

    def commit(self) -> None:
        """Put the file into its place."""

    def discard(self) -> None:
        """Leave no rest of it."""


class CsvStream:
    """A table of text that grows row by row; the same bytes as `write_csv` at once."""

    def __init__(self, path: str | Path, decimal_comma: bool = False) -> None:
        self._path, self._decimal_comma = path, decimal_comma
        self._separator = ";" if decimal_comma else ","
        self._new = Replacement(path)
        self._head: Table | None = None

    def take(self, table: Table) -> None:
        """Write some more rows, the first time with a header."""
        if self._head is None:
            self._head = _without_rows(table)
            for text in csv_texts(self._head, self._separator, self._decimal_comma):
                self._new.write(text.encode())
        for text in csv_rows(table, self._separator, self._decimal_comma):
            self._new.write(text.encode())

    def commit(self) -> None:
        """Put the table into its place, and its explanation beside it."""
        self._new.commit()
        if self._head is not None:
            write_explanation(self._head, self._path, self._separator)

    def discard(self) -> None:
        """Leave no rest of it."""
        self._new.discard()


class NpzStream:
    """Arrays for numpy: an archive wants column after column, so rows wait in a file beside it."""

    def __init__(self, path: str | Path, model_name: str = "") -> None:
        self._path, self._model_name = path, model_name
        self._new = Replacement(path)
        folder = None if is_device(path) else os.path.dirname(os.path.realpath(path))
        try:
            with in_words(path, "write"):
                self._waiting: IO[bytes] = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        except EngineError:
            self._new.discard()
            raise
        self._lengths: list[int] = []  # rows of each piece, which holds column after column
        self._head: Table | None = None

    def take(self, table: Table) -> None:
        """Keep some more rows."""
        if self._head is None:
            self._head = _without_rows(table)
        with in_words(self._path, "write"):
            for column in (table.time, *table.columns):
                self._waiting.write(np.ascontiguousarray(column, dtype=np.float64).tobytes())
        self._lengths.append(len(table.time))

    def commit(self) -> None:
        """Write column after column and put the archive into its place."""
        try:
            with in_words(self._path, "write"):
                self._write()
        except BaseException:
            self.discard()
            raise
        self._waiting.close()
        self._new.commit()

    def discard(self) -> None:
        """Leave no rest of it."""
        self._waiting.close()
        self._new.discard()

    def _write(self) -> None:
        """The archive as `write_npz` makes it."""
        assert self._head is not None
        with zipfile.ZipFile(self._new.file, "w", allowZip64=True) as archive:
            names = ["time", *(channel.name for channel in self._head.channels)]
            for k, name in enumerate(names):
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    self._write_column(member, k, len(names))
            for name, words in npz_words(self._head, self._model_name).items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, words)

    def _write_column(self, member: Any, k: int, n_columns: int) -> None:
        """Gather one column from all pieces."""
        described = {"descr": "<f8", "fortran_order": False, "shape": (sum(self._lengths),)}
        np.lib.format.write_array_header_1_0(member, described)
        at = 0
        for length in self._lengths:
            self._waiting.seek(8 * (at + k * length))
            member.write(self._waiting.read(8 * length))
            at += n_columns * length


def _without_rows(table: Table) -> Table:
    """The channels and units of a table."""
    return Table(np.zeros(0), table.channels, table.units, [np.zeros(0) for _ in table.columns])
