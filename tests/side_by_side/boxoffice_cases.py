"""Operations on the box office: what one writes for ElectroDB, and what one writes for us."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import tablewright as tw
from tests.side_by_side.boxoffice import (
    Act,
    Customer,
    Genre,
    Hall,
    Hire,
    House,
    Invoice,
    Lighting,
    Program,
    Show,
    Stage,
    Ticket,
    Wallet,
)
from tests.side_by_side.columns import Case

OPENING = datetime(2026, 9, 1, 19, 30, tzinfo=UTC)
CLOSING = datetime(2026, 12, 24, 17, 0, tzinfo=UTC)
OPENING_TEXT, CLOSING_TEXT = '"2026-09-01T19:30:00.000Z"', '"2026-12-24T17:00:00.000Z"'

SHOW_ITEM = f"""{{
    showId: "Cats-7", venueCode: "ROYAL", startsAt: {OPENING_TEXT}, genre: "Musical", basePrice: 49.9,
    poster: Buffer.from("png\\u0000"), languages: ["en", "de"], ratings: [4, 5],
    stage: {{widthMeters: 12.5, lighting: {{rigCount: 6}}}},
    acts: [{{performer: "Ann", minutes: 40}}, {{performer: "Bob"}}], surcharges: {{balcony: 5, box: 20.25}},
}}"""
FREE_TICKET = '{showId: "Cats-7", section: "Balcony", rowNumber: 4, seatNumber: 17, status: "free", barcode: "abc-1"}'
KEPT_TICKET = FREE_TICKET.replace('"free"', '"sold", customerId: "C-1", askingPrice: 80')
RESALE_TICKET = FREE_TICKET.replace('"free"', '"resale", customerId: "C-1", askingPrice: 85')
TICKET_KEY = '{showId: "Cats-7", section: "Balcony", rowNumber: 4, seatNumber: 17}'
INVOICE_ITEM = '{customerId: "C-1", year: 2026, invoiceNumber: 42, showId: "Cats-7", amount: 99.8}'
INVOICE_KEY = '{customerId: "C-1", year: 2026, invoiceNumber: 42}'


def show() -> Show:
    return Show(
        showId="Cats-7",
        venueCode="ROYAL",
        startsAt=OPENING,
        genre=Genre.MUSICAL,
        basePrice=Decimal("49.90"),
        poster=b"png\x00",
        languages={"en", "de"},
        ratings=frozenset({4, 5}),
        stage=Stage(width=12.5, lighting=Lighting(rig_count=6)),
        acts=[Act(performer="Ann", minutes=40), Act(performer="Bob")],
        surcharges={"balcony": Decimal(5), "box": Decimal("20.25")},
    )


def ticket(**values: Any) -> Ticket:
    return Ticket(showId="Cats-7", section="Balcony", rowNumber=4, seatNumber=17, barcode="abc-1", **values)


def kept() -> Ticket:
    return ticket(status="sold", customerId="C-1", askingPrice=80)


def for_resale() -> Ticket:
    return ticket(status="resale", customerId="C-1", askingPrice=85)


def ticket_key() -> tw.Key[Ticket]:
    return Ticket.key("Cats-7", section="Balcony", row=4, seat=17)


def invoice() -> Invoice:
    return Invoice(customerId="C-1", year=2026, invoiceNumber=42, showId="Cats-7", amount=Decimal("99.80"))


def show_key() -> tw.Key[Show]:
    return Show.key("Cats-7")


ITEMS = [
    Case(
        "get: labels",
        'halls.get({venueCode: "ROYAL", hallName: "Main"}).params()',
        lambda: Hall.key("ROYAL", hall_name="Main").get(),
    ),
    Case("get: padding", f"tickets.get({TICKET_KEY}).params()", lambda: ticket_key().get()),
    Case("get: template", 'customers.get({customerId: "C-1"}).params()', lambda: Customer.key("C-1").get()),
    Case(
        "get: template with padding",
        f"invoices.get({INVOICE_KEY}).params()",
        lambda: Invoice.key("C-1", year=2026, number=42).get(),
    ),
    Case(
        "get some attributes with other fields",
        'shows.get({showId: "Cats-7"}).go({attributes: ["basePrice", "languages", "startsAt", "showId"]})',
        lambda: show_key().get().only(Show.base_price, Show.languages, Show.starts_at),
    ),
    Case(
        "put: fields",
        'halls.put({venueCode: "ROYAL", hallName: "Main", seatCount: 900}).params()',
        lambda: Hall(venueCode="ROYAL", hallName="Main", seatCount=900).put(),
    ),
    Case(
        "put: enum, Decimal, bytes, sets, maps and a multi-attribute index",
        f"shows.put({SHOW_ITEM}).params()",
        lambda: show().put(),
    ),
    Case(
        "put: template",
        'customers.put({customerId: "C-1", fullName: "Cy Twombly"}).params()',
        lambda: Customer(customerId="C-1", fullName="Cy Twombly").put(),
    ),
    Case("put: clustered index and template", f"invoices.put({INVOICE_ITEM}).params()", lambda: invoice().put()),
    Case("put: in the sparse index", f"tickets.put({RESALE_TICKET}).params()", lambda: for_resale().put()),
    Case("put: not in the sparse index", f"tickets.put({KEPT_TICKET}).params()", lambda: kept().put()),
    Case("create: in the sparse index", f"tickets.create({RESALE_TICKET}).params()", lambda: for_resale().create()),
    Case(
        "create: template",
        'customers.create({customerId: "C-1", fullName: "Cy", email: "c@y"}).params()',
        lambda: Customer(customerId="C-1", fullName="Cy", email="c@y").create(),
    ),
    Case("upsert: everything", f"shows.upsert({SHOW_ITEM}).params()", lambda: show().upsert()),
    Case("upsert: in the sparse index", f"tickets.upsert({RESALE_TICKET}).params()", lambda: for_resale().upsert()),
    Case("upsert: not in the sparse index", f"tickets.upsert({KEPT_TICKET}).params()", lambda: kept().upsert()),
    Case("upsert: template", f"invoices.upsert({INVOICE_ITEM}).params()", lambda: invoice().upsert()),
    Case(
        "delete: template",
        f"invoices.delete({INVOICE_KEY}).params()",
        lambda: Invoice.key("C-1", year=2026, number=42).delete(),
    ),
    Case("remove: padding", f"tickets.remove({TICKET_KEY}).params()", lambda: ticket_key().remove()),
    Case(
        "batch get of one entity",
        f"tickets.get([{TICKET_KEY}, {TICKET_KEY.replace('17', '18')}]).params()",
        lambda: tw.batch_get(ticket_key().get(), Ticket.key("Cats-7", section="Balcony", row=4, seat=18).get()),
    ),
    Case("batch put", f"tickets.put([{RESALE_TICKET}]).params()", lambda: tw.batch_write(for_resale().put())),
    Case(
        "batch delete",
        f"invoices.delete([{INVOICE_KEY}]).params()",
        lambda: tw.batch_write(Invoice.key("C-1", year=2026, number=42).delete()),
    ),
]


def changed(name: str, electro: str, *changes: Any) -> Case:
    """A patch of one show by its key."""
    return Case(
        f"patch: {name}", f'shows.patch({{showId: "Cats-7"}}){electro}.params()', lambda: show_key().patch(*changes)
    )


CHANGES = [
    changed("bytes", '.set({poster: Buffer.from("jpg")})', Show.poster.set(b"jpg")),
    changed(
        "sets",
        '.add({languages: ["fr"]}).delete({ratings: [1]})',
        Show.languages.add({"fr"}),
        Show.ratings.delete(frozenset({1})),
    ),
    changed(
        "a map",
        ".set({stage: {widthMeters: 10, lighting: {rigCount: 2}}})",
        Show.stage.set(Stage(width=10, lighting=Lighting(rig_count=2))),
    ),
    changed("inside a map", '.set({"stage.widthMeters": 11})', Show.stage.inside.width.set(11)),
    changed(
        "inside a map in a map",
        '.add({"stage.lighting.rigCount": 1})',
        Show.stage.inside.lighting.inside.rig_count.add(1),
    ),
    changed(
        "remove inside a map",
        '.remove(["stage.lighting.rigCount"])',
        Show.stage.inside.lighting.inside.rig_count.remove(),
    ),
    changed("inside a list", '.set({"acts[0].performer": "Cy"})', Show.acts[0].performer.set("Cy")),
    changed(
        "append to a list",
        '.append({acts: [{performer: "Dee", minutes: 5}]})',
        Show.acts.append(Act(performer="Dee", minutes=5)),
    ),
    changed("a free map", ".set({surcharges: {box: 1.5}})", Show.surcharges.set({"box": Decimal("1.50")})),
    changed(
        "inside a free map",
        ".data((a, op) => op.set(a.surcharges.box, 2.5))",
        Show.surcharges["box"].set(Decimal("2.5")),
    ),
    changed("a multi-attribute key", ".set({basePrice: 12.5})", Show.base_price.set(Decimal("12.50"))),
    Case(
        "patch: a sort composite, completed by the table key",
        f'shows.patch({{showId: "Cats-7"}}).set({{startsAt: {CLOSING_TEXT}}}).params()',
        lambda: show_key().patch(Show.starts_at.set(CLOSING)),
    ),
    Case(
        "patch: into the sparse index",
        f"""tickets.patch({TICKET_KEY}).set({{status: "resale", askingPrice: 99}}).params()""",
        lambda: ticket_key().patch(Ticket.status.set("resale"), Ticket.asking_price.set(99)),
    ),
    Case(
        "patch: out of the sparse index",
        f"""tickets.patch({TICKET_KEY}).set({{status: "sold", askingPrice: 99}}).params()""",
        lambda: ticket_key().patch(Ticket.status.set("sold"), Ticket.asking_price.set(99)),
    ),
    Case(
        "patch: into the sparse index, completed by composite",
        f'tickets.patch({TICKET_KEY}).set({{status: "resale"}}).composite({{askingPrice: 80}}).params()',
        lambda: ticket_key().patch(Ticket.status.set("resale")).composite(asking_price=80),
    ),
    Case(
        "patch: into the sparse index, completed by the item",
        f'tickets.patch({TICKET_KEY}).set({{status: "resale"}}).composite({{askingPrice: 80}}).params()',
        lambda: kept().patch(Ticket.status.set("resale")),
    ),
    Case(
        "patch: a key without sort key",
        f'tickets.patch({TICKET_KEY}).set({{barcode: "xyz-9"}}).params()',
        lambda: ticket_key().patch(Ticket.barcode.set("xyz-9")),
    ),
    Case(
        "update on a condition over other fields",
        """shows.update({showId: "Cats-7"}).set({stage: {widthMeters: 3}})
            .where((a, op) => `${op.lt(a.stage.lighting.rigCount, 9)} AND ${op.contains(a.languages, "en")}
                AND ${op.eq(a.acts[0].performer, "Ann")} AND ${op.gte(a.basePrice, 9.99)}`).params()""",
        lambda: (
            show_key()
            .update(Show.stage.set(Stage(width=3)))
            .where(
                Show.stage.inside.lighting.inside.rig_count < 9,
                Show.languages.contains("en"),
                Show.acts[0].performer == "Ann",
                Show.base_price >= Decimal("9.99"),
            )
        ),
    ),
]

QUERIES = [
    Case(
        "query: sub-collection, partition alone",
        'shows.query.program({venueCode: "ROYAL"}).params()',
        lambda: Show.program("ROYAL"),
    ),
    Case(
        "query: sub-collection, half a sort key",
        f'shows.query.program({{venueCode: "ROYAL", startsAt: {OPENING_TEXT}}}).params()',
        lambda: Show.program("ROYAL", starts_at=OPENING),
    ),
    Case(
        "query: sub-collection, all",
        f"""shows.query.program({{venueCode: "ROYAL", startsAt: {OPENING_TEXT},
        showId: "Cats-7"}}).params()""",
        lambda: Show.program("ROYAL", starts_at=OPENING, show_id="Cats-7"),
    ),
    Case(
        "query: outer collection",
        'halls.query.house({venueCode: "ROYAL", hallName: "Main"}).params({order: "desc"})',
        lambda: Hall.house("ROYAL", hall_name="Main").descending(),
    ),
    Case(
        "query: sparse and scoped, partition alone",
        'tickets.query.on_resale({showId: "Cats-7"}).params()',
        lambda: Ticket.on_resale("Cats-7"),
    ),
    Case(
        "query: sparse and scoped, padded",
        'tickets.query.on_resale({showId: "Cats-7", askingPrice: 85}).params()',
        lambda: Ticket.on_resale("Cats-7", asking_price=85),
    ),
    Case(
        "query: clustered, partition alone",
        'tickets.query.in_wallet({customerId: "C-1"}).params()',
        lambda: Ticket.in_wallet("C-1"),
    ),
    Case(
        "query: clustered, half a sort key",
        'tickets.query.in_wallet({customerId: "C-1", showId: "Cats-7"}).params()',
        lambda: Ticket.in_wallet("C-1", show_id="Cats-7"),
    ),
    Case(
        "query: clustered, all",
        """tickets.query.in_wallet({customerId: "C-1", showId: "Cats-7", section: "Balcony",
        rowNumber: 4}).params()""",
        lambda: Ticket.in_wallet("C-1", show_id="Cats-7", section="Balcony", row=4),
    ),
    Case(
        "query: clustered, filtered",
        """tickets.query.in_wallet({customerId: "C-1"})
        .where((a, op) => op.eq(a.status, "resale")).params()""",
        lambda: Ticket.in_wallet("C-1").where(Ticket.status == "resale"),
    ),
    Case(
        "query: clustered, begins",
        'tickets.query.in_wallet({customerId: "C-1"}).begins({showId: "7"}).params()',
        lambda: Ticket.in_wallet("C-1", show_id=tw.begins_with("7")),
    ),
    Case(
        "query: no sort key",
        'tickets.query.by_barcode({barcode: "abc-1"}).params({limit: 1})',
        lambda: Ticket.by_barcode("abc-1").limit(1),
    ),
    Case(
        "query: multi-attribute, partition alone",
        'shows.query.by_genre({genre: "jazz", venueCode: "ROYAL"}).params()',
        lambda: Show.by_genre(Genre.JAZZ, "ROYAL"),
    ),
    Case(
        "query: multi-attribute, half a sort key",
        f"""shows.query.by_genre({{genre: "jazz", venueCode: "ROYAL",
        startsAt: {OPENING_TEXT}}}).params()""",
        lambda: Show.by_genre(Genre.JAZZ, "ROYAL", starts_at=OPENING),
    ),
    Case(
        "query: multi-attribute, all",
        f"""shows.query.by_genre({{genre: "jazz", venueCode: "ROYAL",
        startsAt: {OPENING_TEXT}, basePrice: 49.9}}).params()""",
        lambda: Show.by_genre(Genre.JAZZ, "ROYAL", starts_at=OPENING, base_price=Decimal("49.90")),
    ),
    Case(
        "query some attributes with other fields",
        'shows.query.program({venueCode: "ROYAL"}).go({attributes: ["basePrice", "languages", "venueCode", "showId"]})',
        lambda: Show.program("ROYAL").only(Show.base_price, Show.languages),
    ),
    Case("scan", "shows.scan.params()", Show.scan),
    Case("scan: template", "invoices.scan.params()", Invoice.scan),
    Case(
        "scan: filtered",
        'shows.scan.where((a, op) => op.eq(a.genre, "Musical")).params()',
        lambda: Show.scan().where(Show.genre == Genre.MUSICAL),
    ),
    Case(
        "find: template",
        'invoices.find({customerId: "C-1", year: 2026}).params()',
        lambda: Invoice.find(customer_id="C-1", year=2026),
    ),
    Case("find: no sort key", 'tickets.find({barcode: "abc-1"}).params()', lambda: Ticket.find(barcode="abc-1")),
    Case("find: nothing of use", 'customers.find({fullName: "Cy"}).params()', Customer.scan),  # typed: refused
    Case(
        "match: Decimal",
        'shows.match({venueCode: "ROYAL", basePrice: 5.5}).params()',
        lambda: Show.match(venue_code="ROYAL", base_price=Decimal("5.50")),
    ),
    Case("match: enum", 'shows.match({genre: "drama"}).params()', lambda: Show.match(genre=Genre.DRAMA)),
    Case(
        "match: other field",
        'customers.match({customerId: "C-1", fullName: "Cy"}).params()',
        lambda: Customer.match(customer_id="C-1", full_name="Cy"),
    ),
]

TIMES: dict[str, tuple[str, Any]] = {
    **{
        operator: (f".{operator}({{startsAt: {OPENING_TEXT}}})", bound(OPENING))
        for operator, bound in {"gt": tw.gt, "gte": tw.gte, "lt": tw.lt, "lte": tw.lte}.items()
    },
    "between": (f".between({{startsAt: {OPENING_TEXT}}}, {{startsAt: {CLOSING_TEXT}}})", tw.between(OPENING, CLOSING)),
    "begins": ('.begins({startsAt: "2026-09"})', tw.begins_with("2026-09")),
}
PRICES: dict[str, tuple[str, Any]] = {
    **{
        operator: (f".{operator}({{askingPrice: 85}})", bound(85))
        for operator, bound in {"gt": tw.gt, "gte": tw.gte, "lt": tw.lt, "lte": tw.lte}.items()
    },
    "between": (".between({askingPrice: 9}, {askingPrice: 100})", tw.between(9, 100)),
}
ROWS: dict[str, tuple[str, Any]] = {
    **{
        operator: (f".{operator}({{rowNumber: 4}})", bound(4))
        for operator, bound in {"gt": tw.gt, "gte": tw.gte, "lt": tw.lt, "lte": tw.lte}.items()
    },
    "between": (".between({rowNumber: 4}, {rowNumber: 12})", tw.between(4, 12)),
}


def compared(how: Any) -> list[Case]:
    """All comparisons on an index of a sub-collection, the sparse, the clustered and the multi-attribute index."""
    option = f'.params({{compare: "{how}"}})'
    named = f"compare {how}"
    return [
        *(
            Case(
                f"query {operator}: sub-collection, {named}",
                f'shows.query.program({{venueCode: "ROYAL"}}){electro}{option}',
                lambda bound=bound: Show.program("ROYAL", starts_at=bound).compare(how),
            )
            for operator, (electro, bound) in TIMES.items()
        ),
        *(
            Case(
                f"query {operator}: sparse, padded, {named}",
                f'tickets.query.on_resale({{showId: "Cats-7"}}){electro}{option}',
                lambda bound=bound: Ticket.on_resale("Cats-7", asking_price=bound).compare(how),
            )
            for operator, (electro, bound) in PRICES.items()
        ),
        *(
            Case(
                f"query {operator}: clustered, padded, {named}",
                f'tickets.query.in_wallet({{customerId: "C-1", showId: "Cats-7", section: "Stalls"}}){electro}{option}',
                lambda bound=bound: Ticket.in_wallet("C-1", show_id="Cats-7", section="Stalls", row=bound).compare(how),
            )
            for operator, (electro, bound) in ROWS.items()
        ),
    ]


MULTI_ATTRIBUTE = [
    Case(
        f"query {operator}: multi-attribute",
        f'shows.query.by_genre({{genre: "jazz", venueCode: "ROYAL"}}){electro}.params()',
        lambda bound=bound: Show.by_genre(Genre.JAZZ, "ROYAL", starts_at=bound),
    )
    for operator, (electro, bound) in TIMES.items()
]

TOGETHER = [
    Case("collection: outer", 'collections.house({venueCode: "ROYAL"}).params()', lambda: House.of("ROYAL")),
    Case("collection: inner", 'collections.program({venueCode: "ROYAL"}).params()', lambda: Program.of("ROYAL")),
    Case(
        "collection: filtered",
        f'collections.program({{venueCode: "ROYAL"}}).where((a, op) => op.lt(a.startsAt, {CLOSING_TEXT})).params()',
        lambda: Program.of("ROYAL").where(Show.starts_at < CLOSING),
    ),
    Case("collection: clustered", 'collections.wallet({customerId: "C-1"}).params()', lambda: Wallet.of("C-1")),
    Case(
        "collection: clustered, begins",
        'collections.wallet({customerId: "C-1"}).begins({showId: "7"}).params()',
        lambda: Wallet.of("C-1", show_id=tw.begins_with("7")),
    ),
    *(
        Case(
            f"collection: clustered, {operator}",
            f'collections.wallet({{customerId: "C-1"}}).{operator}({{showId: "Cats-7"}}).params({{compare: "keys"}})',
            lambda bound=bound: Wallet.of("C-1", show_id=bound).compare("keys"),
        )
        for operator, bound in {"gt": tw.gt("Cats-7"), "lte": tw.lte("Cats-7")}.items()
    ),
    Case(
        "transaction across entities",
        f"""transaction.write(({{tickets, invoices, customers, halls}}) => [
            tickets.patch({TICKET_KEY}).set({{status: "resale", askingPrice: 99}})
                .where((a, op) => op.eq(a.customerId, "C-1")).commit(),
            invoices.create({INVOICE_ITEM}).commit(),
            customers.check({{customerId: "C-1"}}).where((a, op) => op.exists(a.fullName)).commit(),
            halls.delete({{venueCode: "ROYAL", hallName: "Main"}}).where((a, op) => op.eq(a.seatCount, 0)).commit(),
        ]).params({{token: "sale"}})""",
        lambda: tw.transact(
            ticket_key()
            .patch(Ticket.status.set("resale"), Ticket.asking_price.set(99))
            .where(Ticket.customer_id == "C-1"),
            invoice().create(),
            Customer.key("C-1").check(Customer.full_name.exists()),
            Hall.key("ROYAL", hall_name="Main").delete().where(Hall.seat_count == 0),
        ).token("sale"),
    ),
    Case(
        "transaction of gets across entities",
        f"""transaction.get(({{tickets, hires}}) => [
            tickets.get({TICKET_KEY}).commit(),
            hires.get({{venueCode: "ROYAL", startsAt: {OPENING_TEXT}}}).commit(),
        ]).params()""",
        lambda: tw.transact_get(ticket_key().get(), Hire.key("ROYAL", starts_at=OPENING).get()),
    ),
]

CASES = [
    *ITEMS,
    *CHANGES,
    *QUERIES,
    *(case for how in ("keys", "attributes", "v2") for case in compared(how)),
    *MULTI_ATTRIBUTE,
    *TOGETHER,
]
