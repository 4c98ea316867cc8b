"""Writing what was made into a folder: whole files or none, and never over what somebody changed by hand.

Beside them lies a small file with the hash of each file as it was written; one that differs from it was edited since.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.read import design_json
from tablewright.engine.transfer import replace_file
from tablewright.errors import TablewrightError
from tablewright.report.document import document
from tablewright.report.markdown import markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tablewright.design.model import Design

WRITTEN = ".tablewright.json"


def write_design(design: Design, folder: Path, *, force: bool = False) -> list[Path]:
    """`design.json` and `design.md`."""
    return write_files(folder, {"design.json": design_json(design), "design.md": _design_markdown(design)}, force=force)


def _design_markdown(design: Design) -> bytes:
    return markdown(document(design)).encode()


def write_files(
    folder: Path, contents: Mapping[str, bytes], *, gone: Iterable[str] = (), force: bool = False
) -> list[Path]:
    """All of them, unless one is not as it was written; `force` replaces that as well.

    `gone`: files of an earlier time that no longer hold, and are deleted if they are still as they were written.
    """
    _check_places(folder, contents)
    known = _read_hashes(folder)
    edited = [
        name
        for name, content in contents.items()
        if not force and _is_edited(folder / name, content, known.get(name, ""))
    ]
    if edited:
        listed = ", ".join(str(folder / name) for name in edited)
        raise TablewrightError(
            f"{listed}: not as Tablewright wrote it; say --force to replace it, or choose another folder"
        )
    hashes = dict(known)
    try:
        for name, content in contents.items():
            _write_file(folder / name, content)
            hashes[name] = _hash_of(content)
        for name in gone:
            _delete_file(folder / name, hashes.pop(name, ""))
    finally:  # what was written before a fault is known as ours
        if hashes:
            _write_file(folder / WRITTEN, msgspec.json.format(msgspec.json.encode(hashes, order="sorted")))
    return [folder / name for name in contents]


def _check_places(folder: Path, names: Iterable[str]) -> None:
    """Whatever is in the way is found before anything is written."""
    if folder.exists() and not folder.is_dir():
        raise TablewrightError(f"{folder} is a file; choose a folder to write into")
    for name in names:
        path = folder / name
        if path.is_dir():
            raise TablewrightError(f"{path} is a folder, where a file is needed; move it away")
        for above in path.relative_to(folder).parents:
            if (folder / above).exists() and not (folder / above).is_dir():
                raise TablewrightError(f"{folder / above} is a file, where a folder is needed; move it away")


def _write_file(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_file(path) as output:
        output.write(content)


def _delete_file(path: Path, known: str) -> None:
    if path.is_file() and _hash_of(path.read_bytes()) == known:
        path.unlink()


def _is_edited(path: Path, content: bytes, known: str) -> bool:
    if not path.exists():
        return False
    present = path.read_bytes()
    return present != content and _hash_of(present) != known


def _read_hashes(folder: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode((folder / WRITTEN).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError):
        return {}


def _hash_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
