"""The same request comes again and again, from several clients, some of which crash: it has the effect of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import tablewright as tw
from tablewright import Attr, attr
from tests.simulation.invariants import digits, made_once
from tests.simulation.scenario import Play, Scenario
from tests.simulation.story import Deed, Script, Story

TABLE = "orders"
REQUESTS = 3
CLIENTS, ASKS = 4, 3

orders = tw.Service("orders", table=TABLE)


class Order(tw.Entity, service=orders, name="order"):
    """What was bought; its id is made up by whoever writes it."""

    order: Attr[str] = attr(default_factory=tw.new_id)
    request: Attr[str]

    @tw.primary
    def key(self, order: str) -> None:
        """One order."""


class Stock(tw.Entity, service=orders, name="stock"):
    """What is left; each request takes a power of ten of its own."""

    stock: Attr[str]
    taken: Attr[int] = attr(default=0)

    @tw.primary
    def key(self, stock: str) -> None:
        """One stock."""


SHELF = Stock.key("shelf")


def begin(_: Story) -> Script:
    yield Deed("fill", Stock(stock="shelf").create())


def asked(number: int) -> Any:
    """Requests of every kind: a creation, a count that is answered, a transaction of both."""
    request, taken = f"r{number}", Stock.taken.add(10**number)
    match number % 3:
        case 0:
            return tw.once(Order(request=request).create(), request)
        case 1:
            return tw.once(SHELF.patch(taken).returning("all_new"), request)
        case _:
            return tw.once(tw.transact(Order(request=request).create(), SHELF.patch(taken)), request)


def customer(_number: int, story: Story) -> Script:
    for _ in range(ASKS):
        at = story.rng.randrange(REQUESTS)
        yield Deed("ask", asked(at), {"at": at})


def heal(_: Story) -> Script:
    """Whoever asks when the storm is over is answered."""
    for at in range(REQUESTS):
        yield Deed("ask", asked(at), {"at": at})


def scripts(_: Story) -> Sequence[Play]:
    return [partial(customer, number) for number in range(CLIENTS)]


def marks(story: Story) -> Mapping[Deed, int]:
    """Who asks the same stands for all who do: the surest of them."""
    made = [item["request"] for item in story.stored(TABLE, "order")]
    (shelf,) = story.stored(TABLE, "stock")
    found: dict[Deed, int] = {}
    for at in range(REQUESTS):
        alike = [deed for deed in story.named("ask") if deed.facts["at"] == at]
        surest = max(alike, key=lambda deed: (deed.is_done, deed.may_be_done), default=None)
        if surest is not None:
            ordered, taken = made.count(f"r{at}"), digits(int(shelf["taken"]), at)
            found[surest] = {0: ordered, 1: taken}.get(at % 3, max(ordered, taken))
    return found


def transactions_are_whole(story: Story) -> Iterator[str]:
    """The order and what it takes come together."""
    made = [item["request"] for item in story.stored(TABLE, "order")]
    (shelf,) = story.stored(TABLE, "stock")
    for at in range(2, REQUESTS, 3):
        if made.count(f"r{at}") != digits(int(shelf["taken"]), at):
            yield f"r{at}: {made} and {shelf} do not agree"


def everybody_hears_the_same(story: Story) -> Iterator[str]:
    """The answer is the first one, whoever asks."""
    for at in range(REQUESTS):
        heard = [deed.value for deed in story.named("ask") if deed.facts["at"] == at and deed.is_done]
        if any(each != heard[0] for each in heard):
            yield f"r{at} was answered with {heard}"


SCENARIO = Scenario(
    "ordering",
    [orders],
    scripts,
    (*made_once(marks), transactions_are_whole, everybody_hears_the_same),
    begin=begin,
    heal=heal,
    resumed=(customer,),
)
