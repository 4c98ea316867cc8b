"""What makes the engine a measuring instrument and a source of trouble: everything here is off unless asked for.

    Engine(clock=(clock := Clock()), instruments=Instruments(partitions=True, account=100))

Handlers tell the engine what they are about to touch (`admit`) and what it cost (`charge`); `rows.write` does the same
for indexes. From that, and from each call as a whole, come throttling, heat and the account. Failures, conflicts, lag
and unprocessed items are brought about around the call, without the handlers' knowing.
"""

from tablewright.engine.instruments.account import Account, Call, Charge
from tablewright.engine.instruments.clock import Clock
from tablewright.engine.instruments.heat import Heat, Warmth
from tablewright.engine.instruments.panel import Instruments
from tablewright.engine.instruments.partitions import Partition, Partitions
from tablewright.engine.instruments.provoked import Failure, every

__all__ = [
    "Account",
    "Call",
    "Charge",
    "Clock",
    "Failure",
    "Heat",
    "Instruments",
    "Partition",
    "Partitions",
    "Warmth",
    "every",
]
