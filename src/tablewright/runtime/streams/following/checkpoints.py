"""How far a reader has got in each shard, kept in memory or in a file, so that another can go on from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.errors import RequestError

if TYPE_CHECKING:
    from pathlib import Path

ByShard = dict[str, str]


class Checkpoints:
    """The last sequence number that was handled, by stream and shard: `Checkpoints("orders.json")`."""

    def __init__(self, path: str | Path | None = None) -> None:
        from pathlib import Path  # files are a minority

        self.path = None if path is None else Path(path)
        self._streams: dict[str, ByShard] = {}
        if self.path is not None and self.path.exists():
            self._streams = self._read(self.path)

    @staticmethod
    def _read(path: Path) -> dict[str, ByShard]:
        try:
            return msgspec.json.decode(path.read_bytes(), type=dict[str, ByShard])
        except msgspec.MsgspecError as error:
            raise RequestError(f"{path} holds no checkpoints: {error}; name another file", code=1010) from error

    def of(self, stream: str) -> ByShard:
        """By shard, where to go on behind."""
        return dict(self._streams.get(stream, {}))

    def save(self, stream: str, shard: str, sequence: str) -> None:
        self._streams.setdefault(stream, {})[shard] = sequence
        self._write()

    def forget(self, stream: str | None = None) -> None:
        """Begin anew, in one stream or in all."""
        self._streams = {} if stream is None else {name: at for name, at in self._streams.items() if name != stream}
        self._write()

    def _write(self) -> None:
        """A crash leaves the old file or the new one, never half of one."""
        if self.path is None:
            return
        beside = self.path.with_name(self.path.name + ".new")
        beside.write_bytes(msgspec.json.encode(self._streams))
        beside.replace(self.path)
