"""`python -m tests.proof.mutations [-v]`: how many seeded faults of each kind the proof caught.

`-v` says of every fault how the proof found it out. What was not caught is listed in any case.
"""

from __future__ import annotations

import sys
from collections import Counter

from tests.proof.mutations.catalogue import CATALOGUE, KINDS
from tests.proof.mutations.trial import try_fault


def main(*, verbose: bool) -> int:
    trials = [(fault, try_fault(fault)) for fault in CATALOGUE]
    tried = Counter(fault.kind for fault, _ in trials)
    caught = Counter(fault.kind for fault, trial in trials if trial.caught)
    print(f"{'seeded faults':<30} {'tried':>6} {'caught':>6}")
    for kind in KINDS:
        print(f"{kind:<30} {tried[kind]:>6} {caught[kind]:>6}")
    print(f"{'all':<30} {tried.total():>6} {caught.total():>6}")
    for fault, trial in trials:
        if verbose or not trial.caught:
            print(f"{'caught' if trial.caught else 'NOT CAUGHT'}: {fault.kind}: {fault}: {trial.said}")
    return 0 if all(trial.caught for _, trial in trials) else 1


if __name__ == "__main__":
    sys.exit(main(verbose="-v" in sys.argv[1:]))
