"""What a table is beside its keys and indexes. Whatever is not said is left to DynamoDB, and is not compared either."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, TypedDict

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.options import is_positive

StreamView: TypeAlias = Literal["new_image", "old_image", "new_and_old_images", "keys_only"]
TableClass: TypeAlias = Literal["standard", "infrequent_access"]

PATIENCE_SECONDS = 600.0
"""So long a table may take to be made or to go."""

STREAM_VIEWS = ("new_image", "old_image", "new_and_old_images", "keys_only")
TABLE_CLASSES: dict[str, str] = {"standard": "STANDARD", "infrequent_access": "STANDARD_INFREQUENT_ACCESS"}


class Provisioned(msgspec.Struct, frozen=True):
    """Capacity that is paid by the hour, `Provisioned(rcu=5, wcu=5)`; indexes have the table's unless named."""

    rcu: int
    wcu: int
    indexes: Mapping[str, Provisioned] = msgspec.field(default_factory=dict[str, "Provisioned"])

    def __post_init__(self) -> None:
        for name, units in (("rcu", self.rcu), ("wcu", self.wcu)):
            if not is_positive(units):
                raise RequestError(f"Provisioned({name}={units!r}): give a whole number of at least 1", code=1010)


Billing: TypeAlias = Literal["on-demand"] | Provisioned


class TableSettings(TypedDict, total=False):
    """The keyword arguments of `db.create` and `db.check`."""

    billing: Billing
    pitr: bool
    deletion_protection: bool
    ttl: str | None
    stream: StreamView | None
    tags: Mapping[str, str]
    table_class: TableClass


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The same as a value. None, or a stream or ttl of None, asks for nothing."""

    billing: Billing | None = None
    pitr: bool | None = None
    deletion_protection: bool | None = None
    ttl: str | None = None
    stream: StreamView | None = None
    tags: Mapping[str, str] | None = None
    table_class: TableClass | None = None


def read_settings(given: TableSettings) -> Settings:
    """Settings from keyword arguments, each checked."""
    unknown = sorted(set(given) - set(Settings.__struct_fields__))
    if unknown:
        known = ", ".join(Settings.__struct_fields__)
        raise RequestError(f"a table has no setting {unknown[0]!r}; known are {known}", code=1010)
    settings = Settings(**given)
    billing: Any = settings.billing
    if billing is not None and billing != "on-demand" and not isinstance(billing, Provisioned):
        raise RequestError(
            f'billing is {billing!r}, but must be "on-demand" or Provisioned(rcu=..., wcu=...)', code=1010
        )
    _one_of("stream", settings.stream, STREAM_VIEWS)
    _one_of("table_class", settings.table_class, tuple(TABLE_CLASSES))
    return settings


def _one_of(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if value is not None and value not in choices:
        raise RequestError(f"{name} is {value!r}, but must be one of: {', '.join(choices)}", code=1010)
