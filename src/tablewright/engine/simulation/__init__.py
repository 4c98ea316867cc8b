"""What makes the engine a measuring instrument and a source of trouble: everything here is off unless asked for.

    Engine(clock=(clock := Clock()), instruments=Instruments(partitions=True, account=100))

Handlers tell the engine what they are about to touch (`admit`) and what it cost (`charge`); `rows.write` does the same
for indexes. From that, and from each call as a whole, come throttling, heat and the account. Failures, conflicts, lag
and unprocessed items are brought about around the call, without the handlers' knowing.
"""

from tablewright.engine.simulation.account import Account, Call, Charge
from tablewright.engine.simulation.clock import Clock
from tablewright.engine.simulation.failures import Failure, every
from tablewright.engine.simulation.heat import Heat, Warmth
from tablewright.engine.simulation.instruments import Instruments
from tablewright.engine.simulation.partitions import Partition, Partitions

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
