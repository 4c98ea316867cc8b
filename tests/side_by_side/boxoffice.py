"""A box office: sub-collections, templates, and sparse, clustered and multi-attribute indexes.

Its table is shared with services in TypeScript, so names are theirs: `alias` and `name` in keys, `field` in items.
"""

from __future__ import annotations

import enum
from datetime import datetime
from decimal import Decimal
from typing import Literal

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

INDEXES = {f"GSI{number}": (f"GSI{number}PK", f"GSI{number}SK") for number in range(1, 6)}
box_office = tw.Service("boxOffice", table=tw.Table("box-office", pk="PK", sk="SK", indexes=INDEXES), casing="default")

TicketStatus = Literal["free", "sold", "resale"]


class Genre(enum.Enum):
    """What is played."""

    JAZZ = "jazz"
    MUSICAL = "Musical"
    DRAMA = "drama"


class Hall(tw.Entity, service=box_office, name="hall", version="2", key_version="2"):
    """A room of a venue."""

    venue_code: Attr[str] = attr(alias="venueCode", label="v")
    hall_name: Attr[str] = attr(alias="hallName")
    seat_count: Attr[int] = attr(alias="seatCount", field="sc")

    @tw.primary
    def key(self, venue_code: str, *, hall_name: str) -> None:
        """One hall."""

    @tw.index("GSI1", collection="house")
    def house(self, venue_code: str, *, hall_name: str = ANY) -> None:
        """The halls of a venue."""


class Lighting(tw.Map):
    """What hangs above the stage."""

    rig_count: Attr[int | None] = attr(default=None, name="rigCount", field="rigs")


class Stage(tw.Map):
    """What a show needs."""

    width: Attr[float | None] = attr(default=None, name="widthMeters", field="w")
    lighting: Attr[Lighting | None] = attr(default=None, field="lx")


class Act(tw.Map):
    """A part of a show."""

    performer: Attr[str] = attr(field="who")
    minutes: Attr[int | None] = attr(default=None)


class Show(tw.Entity, service=box_office, name="liveShow", version="1"):
    """Something to be seen once."""

    show_id: Attr[str] = attr(alias="showId")
    venue_code: Attr[str] = attr(alias="venueCode", label="v")
    starts_at: Attr[datetime] = attr(alias="startsAt")
    genre: Attr[Genre]
    base_price: Attr[Decimal] = attr(alias="basePrice", field="price")
    poster: Attr[bytes | None] = attr(default=None)
    languages: Attr[set[str]] = attr(default_factory=set, field="langs")
    ratings: Attr[frozenset[int]] = attr(default_factory=frozenset)
    stage: Attr[Stage | None] = attr(default=None)
    acts: Attr[list[Act] | None] = attr(default=None)
    surcharges: Attr[dict[str, Decimal] | None] = attr(default=None)

    @tw.primary
    def key(self, show_id: str) -> None:
        """One show."""

    @tw.index("GSI1", collection=["house", "program"])
    def program(self, venue_code: str, *, starts_at: Range[datetime] = ANY, show_id: str = ANY) -> None:
        """The shows of a venue by time."""

    @tw.index("GSI4", kind="composite")
    def by_genre(
        self, genre: Genre, venue_code: str, *, starts_at: Range[datetime] = ANY, base_price: Range[Decimal] = ANY
    ) -> None:
        """The shows of a kind in a venue."""


class Hire(tw.Entity, service=box_office, name="hire", version="1"):
    """A venue let to somebody."""

    venue_code: Attr[str] = attr(alias="venueCode", label="v")
    starts_at: Attr[datetime] = attr(alias="startsAt")
    purpose: Attr[str]

    @tw.primary
    def key(self, venue_code: str, *, starts_at: datetime) -> None:
        """One hire."""

    @tw.index("GSI1", collection=["house", "program"])
    def program(self, venue_code: str, *, starts_at: Range[datetime] = ANY) -> None:
        """The hires of a venue by time."""


class Ticket(tw.Entity, service=box_office, name="ticket", version="1"):
    """A seat at a show."""

    show_id: Attr[str] = attr(alias="showId")
    section: Attr[str] = attr(label="s")
    row: Attr[int] = attr(alias="rowNumber", padding=(3, "0"))
    seat: Attr[int] = attr(alias="seatNumber", padding=(4, "0"))
    status: Attr[TicketStatus] = attr(default="free")
    customer_id: Attr[str | None] = attr(default=None, alias="customerId")
    asking_price: Attr[int | None] = attr(default=None, alias="askingPrice", padding=(6, "0"))
    barcode: Attr[str]

    @tw.primary
    def key(self, show_id: str, *, section: str, row: int, seat: int) -> None:
        """One ticket."""

    @tw.index("GSI2", scope="resale", condition=lambda ticket: ticket.status == "resale", depends_on=("status",))
    def on_resale(self, show_id: str, *, asking_price: Range[int] = ANY) -> None:
        """Tickets whose owners cannot come, cheapest first."""

    @tw.index("GSI3", kind="clustered", collection="wallet")
    def in_wallet(
        self, customer_id: str, *, show_id: Range[str] = ANY, section: Range[str] = ANY, row: Range[int] = ANY
    ) -> None:
        """A customer's tickets, next to their invoices."""

    @tw.index("GSI5", sort=False, casing="upper")
    def by_barcode(self, barcode: str) -> None:
        """The ticket at the door."""


class Customer(tw.Entity, service=box_office, name="customer", version="1"):
    """Someone who buys."""

    customer_id: Attr[str] = attr(alias="customerId")
    full_name: Attr[str] = attr(alias="fullName", field="n")
    email: Attr[str | None] = attr(default=None)

    @tw.primary(pk="CUSTOMER#{customer_id}", sk="METADATA", casing="none")
    def key(self, customer_id: str) -> None:
        """One customer."""


class Invoice(tw.Entity, service=box_office, name="invoice", version="1"):
    """What a customer paid."""

    customer_id: Attr[str] = attr(alias="customerId")
    year: Attr[int]
    number: Attr[int] = attr(alias="invoiceNumber", padding=(5, "0"))
    show_id: Attr[str] = attr(alias="showId")
    amount: Attr[Decimal]

    @tw.primary(pk="CUSTOMER#{customer_id}", sk="INVOICE#{year}#{number}", casing="none")
    def key(self, customer_id: str, *, year: int, number: int) -> None:
        """One invoice."""

    @tw.index("GSI3", kind="clustered", collection="wallet")
    def in_wallet(self, customer_id: str, *, show_id: Range[str] = ANY, number: Range[int] = ANY) -> None:
        """A customer's invoices, next to their tickets."""


class House(tw.Collection, service=box_office, name="house"):
    """A venue with its halls and all that takes place there."""

    halls: list[Hall]
    shows: list[Show]
    hires: list[Hire]

    @tw.index("GSI1")
    def of(self, venue_code: str) -> None: ...


class Program(tw.Collection, service=box_office, name="program"):
    """All that takes place in a venue."""

    shows: list[Show]
    hires: list[Hire]

    @tw.index("GSI1")
    def of(self, venue_code: str) -> None: ...


class Wallet(tw.Collection, service=box_office, name="wallet"):
    """A customer's tickets and invoices, by show."""

    tickets: list[Ticket]
    invoices: list[Invoice]

    @tw.index("GSI3")
    def of(self, customer_id: str, *, show_id: Range[str] = ANY) -> None: ...
