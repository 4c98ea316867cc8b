"""Key shapes: `partition | lead # @ # rest`, where @ is a constant tag that names the item type.

Two item types can be read by one Query when partition and lead are the same: their signature. With an empty lead the
types lie side by side, each behind its tag; a lead of inputs is a hierarchy; a lead of the sort attribute mixes types
in one order.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

Signature: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]


class Shape(msgspec.Struct, frozen=True, order=True):
    """How items of one entity are keyed in the table or in an index."""

    entity: str
    partition: tuple[str, ...]
    lead: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    bucket: str = ""  # `createdAt:7`: what that timestamp begins with is part of the partition key
    when: tuple[tuple[str, str], ...] = ()  # of an index: attributes with values (JSON), or "" for any; see sparse
    copies: int = 0  # of a second item: so many of it lie in the table, and a read asks any one of them

    @property
    def signature(self) -> Signature:
        return self.partition, self.lead

    @property
    def sort(self) -> tuple[str, ...]:
        return (*self.lead, *self.rest)

    @property
    def attributes(self) -> tuple[str, ...]:
        return (*self.partition, *self.lead, *self.rest)

    @property
    def watched(self) -> tuple[str, ...]:
        """The attributes whose change moves an entry, or takes it in or out."""
        return tuple(dict.fromkeys((*self.attributes, *(name for name, _ in self.when))))

    def __repr__(self) -> str:
        """Ties between equal designs are broken by this text, so that what says nothing is no part of it."""
        silent = [name for name in ("when", "copies") if not getattr(self, name)]
        fields = [name for name in self.__struct_fields__ if name not in silent]
        return f"Shape({', '.join(f'{name}={getattr(self, name)!r}' for name in fields)})"

    def __str__(self) -> str:
        bucket = (self.bucket,) if self.bucket else ()
        when = ["if", *(f"{name}={value}" if value else name for name, value in self.when)] if self.when else []
        copies = [f"in {self.copies} copies"] if self.copies else []
        return " ".join([*(self.partition or ("(all)",)), *bucket, "|", *self.lead, "@", *self.rest, *when, *copies])
