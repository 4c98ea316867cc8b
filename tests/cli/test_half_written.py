"""Writing into a folder where something is in the way: nothing is half-written, nothing of ours is called edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tablewright.engine import transfer
from tablewright.errors import TablewrightError
from tablewright.tasks import files

if TYPE_CHECKING:
    from pathlib import Path

CONTENTS = {"python/a.py": b"1", "python/b.py": b"2", "terraform/main.tf": b"3"}


def test_a_file_where_a_folder_should_be_stops_it_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "terraform").touch()
    with pytest.raises(TablewrightError, match=r"terraform is a file, where a folder is needed; move it away"):
        files.write_files(tmp_path, CONTENTS)
    assert [each.name for each in tmp_path.iterdir()] == ["terraform"]


def test_a_folder_where_a_file_should_be_stops_it_as_well(tmp_path: Path) -> None:
    (tmp_path / "terraform" / "main.tf").mkdir(parents=True)
    with pytest.raises(TablewrightError, match=r"main\.tf is a folder, where a file is needed; move it away"):
        files.write_files(tmp_path, CONTENTS)
    assert [each.name for each in tmp_path.iterdir()] == ["terraform"]


def test_what_was_written_before_a_fault_is_known_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_file = transfer.replace_file

    def failing(path: Path) -> object:
        if path.name == "b.py":
            raise OSError(28, "No space left on device")
        return replace_file(path)

    monkeypatch.setattr(files, "replace_file", failing)
    with pytest.raises(OSError, match="No space"):
        files.write_files(tmp_path, CONTENTS)
    monkeypatch.undo()
    changed = {name: content + b"0" for name, content in CONTENTS.items()}
    assert files.write_files(tmp_path, changed) == [tmp_path / name for name in CONTENTS]
