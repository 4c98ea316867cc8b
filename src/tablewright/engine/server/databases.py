"""Which engine answers whom: one for everybody, or one for each access key and region."""

from __future__ import annotations

import logging
import re
import threading
from glob import escape
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tablewright.engine.engine import Engine
from tablewright.engine.store.file import is_ours
from tablewright.errors import service_error

if TYPE_CHECKING:
    from tablewright.engine.server.authorization import Caller
    from tablewright.engine.store.file import Durability
    from tablewright.engine.store.values import Words

MAX_SEPARATE = 1000
PLAIN = re.compile(r"[A-Za-z0-9-]{1,128}")
SHORT = re.compile(r"[a-z0-9-]{1,60}")
SHOWN_LETTERS = 40
DIGEST_LETTERS = 16

log = logging.getLogger("tablewright.engine.server")


class Databases(Protocol):
    """Finds the engine for a caller."""

    def engine_for(self, caller: Caller) -> Engine: ...

    def close(self) -> None: ...


class Shared:
    """Everybody sees the same tables. An engine that was lent is not closed."""

    def __init__(self, engine: Engine, *, lent: bool = False) -> None:
        self.engine = engine
        self.lent = lent

    def engine_for(self, caller: Caller) -> Engine:  # noqa: ARG002 - the protocol's signature
        return self.engine

    def close(self) -> None:
        if not self.lent:
            self.engine.close()


class Separate:
    """Each access key and region has its own tables; of a file `app.db` they are in `app.KEY.REGION.db`.

    No part has a dot in it, so that no two callers share a file. Once the parts were joined by hyphens, which they may
    contain: whose such a file is cannot be known, so it is told of and left alone.
    """

    def __init__(
        self, path: str | Path | None = None, *, durability: Durability = "normal", wording: Words = "current"
    ) -> None:
        self.path = None if path is None else Path(path)
        self.durability: Durability = durability
        self.wording: Words = wording
        self.engines: dict[Caller, Engine] = {}
        self.lock = threading.Lock()
        if self.path is not None:
            _tell_of_earlier_files(self.path)

    def engine_for(self, caller: Caller) -> Engine:
        found = self.engines.get(caller)
        return found if found is not None else self._open(caller)

    def _open(self, caller: Caller) -> Engine:
        if not (PLAIN.fullmatch(caller.access_key) and PLAIN.fullmatch(caller.region)):
            raise service_error("UnrecognizedClientException", "The security token included in the request is invalid.")
        with self.lock:
            if len(self.engines) >= MAX_SEPARATE:
                raise service_error("LimitExceededException", f"There are {MAX_SEPARATE} separate databases already")
            if caller not in self.engines:
                self.engines[caller] = Engine(
                    self._path_for(caller), durability=self.durability, region=caller.region, wording=self.wording
                )
            return self.engines[caller]

    def _path_for(self, caller: Caller) -> Path | None:
        if self.path is None:
            return None
        parts = (self.path.stem, _file_part(caller.access_key), _file_part(caller.region))
        return self.path.with_name(f"{'.'.join(parts)}{self.path.suffix}")

    def close(self) -> None:
        for engine in self.engines.values():
            engine.close()


def _file_part(text: str) -> str:
    """A key or region in the name of a file, on disks that know no letter case and no long names as well."""
    if SHORT.fullmatch(text):
        return text
    digest = sha256(text.encode()).hexdigest()[:DIGEST_LETTERS]
    return f"{text[:SHOWN_LETTERS].lower()}~{digest}"


def _tell_of_earlier_files(path: Path) -> None:
    """Files named with hyphens, by earlier versions: nobody's, until somebody says whose."""
    for found in sorted(path.parent.glob(f"{escape(path.stem)}-*-*{escape(path.suffix)}")):
        if is_ours(found):
            wanted = f"{path.stem}.KEY.REGION{path.suffix}"
            log.warning(
                "%s is of an earlier version and not used: its name does not tell access key and region apart;"
                " to go on with its data, rename it to %s",
                found,
                wanted,
            )
