"""Money moves between accounts in transactions, while others look at all accounts at once.

Every transfer leaves a receipt in the same transaction, so that the table shows which were made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import tablewright as tw
from tablewright import Attr, attr
from tests.simulation.invariants import made_once
from tests.simulation.scenario import Play, Scenario
from tests.simulation.story import Deed, Script, Story

TABLE = "bank"
ACCOUNTS = ("a", "b", "c")
START = 100
CLIENTS, TRANSFERS = 3, 3

bank = tw.Service("bank", table=TABLE)


class Account(tw.Entity, service=bank, name="account"):
    """Never below nothing."""

    account: Attr[str]
    balance: Attr[int] = attr(default=START)
    transfers: Attr[int] = attr(default=0)

    @tw.primary
    def key(self, account: str) -> None:
        """One account."""


class Receipt(tw.Entity, service=bank, name="receipt"):
    """What was moved."""

    receipt: Attr[str]
    source: Attr[str]
    target: Attr[str]
    amount: Attr[int]

    @tw.primary
    def key(self, receipt: str) -> None:
        """One receipt."""


def begin(_: Story) -> Script:
    for name in ACCOUNTS:
        yield Deed("open", Account(account=name).create())


def transfer(receipt: str, source: str, target: str, amount: int) -> tw.Transaction:
    taken = (Account.balance.add(-amount), Account.transfers.add(1))
    given = (Account.balance.add(amount), Account.transfers.add(1))
    return tw.transact(
        Account.key(source).patch(*taken).where(Account.balance >= amount),
        Account.key(target).patch(*given),
        Receipt(receipt=receipt, source=source, target=target, amount=amount).put(),
    )


def customer(number: int, story: Story) -> Script:
    for each in range(TRANSFERS):
        source, target = story.rng.sample(ACCOUNTS, 2)
        receipt = f"{number}.{each}"
        yield Deed("transfer", transfer(receipt, source, target, story.rng.choice((1, 30, 80))), {"receipt": receipt})


def auditor(_: Story) -> Script:
    for _time in range(2):
        yield Deed("audit", tw.transact_get(*(Account.key(name).get() for name in ACCOUNTS)))


def scripts(_: Story) -> Sequence[Play]:
    return [*(partial(customer, number) for number in range(CLIENTS)), auditor]


def marks(story: Story) -> Mapping[Deed, int]:
    """A receipt is written by its transfer alone, and how often is told by the accounts (see `receipts_add_up`)."""
    found = {item["receipt"] for item in story.stored(TABLE, "receipt")}
    return {deed: int(deed.facts["receipt"] in found) for deed in story.named("transfer")}


def receipts_add_up(story: Story) -> Iterator[str]:
    """Balances are what receipts make of them: nothing was moved twice, nothing by half."""
    receipts = story.stored(TABLE, "receipt")
    for item in story.stored(TABLE, "account"):
        mine = [each for each in receipts if item["account"] in (each["source"], each["target"])]
        moved = sum(each["amount"] * (1 if each["target"] == item["account"] else -1) for each in mine)
        if item["balance"] != START + moved or item["transfers"] != len(mine):
            yield f"{item} does not follow from {mine}"


def nobody_owes(story: Story) -> Iterator[str]:
    """The condition of every transfer held when it was made."""
    yield from (f"{item} is below nothing" for item in story.stored(TABLE, "account") if item["balance"] < 0)


def audits_balance(story: Story) -> Iterator[str]:
    """Who reads all accounts in a transaction sees no transfer by half."""
    for deed in story.named("audit"):
        if deed.is_done and sum(each.balance for each in deed.value) != START * len(ACCOUNTS):
            yield f"{deed} saw {deed.value}"


SCENARIO = Scenario(
    "transfers", [bank], scripts, (*made_once(marks), receipts_add_up, nobody_owes, audits_balance), begin=begin
)
