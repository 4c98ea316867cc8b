"""All seeded faults."""

from __future__ import annotations

from tests.proof.mutations.companions import COMPANIONS
from tests.proof.mutations.copying import COPYING
from tests.proof.mutations.keying import KEYING
from tests.proof.mutations.lasting import OVERLAPPING
from tests.proof.mutations.latest import LATEST
from tests.proof.mutations.listing import LISTING
from tests.proof.mutations.packing import PACKING
from tests.proof.mutations.paging import PAGING
from tests.proof.mutations.pricing import PRICING
from tests.proof.mutations.read_copying import READ_COPYING
from tests.proof.mutations.reading import READING
from tests.proof.mutations.ruling import RULING
from tests.proof.mutations.stepping import STEPPING
from tests.proof.mutations.topping import TOPPING
from tests.proof.mutations.walking import WALKING
from tests.proof.mutations.writing import WRITING

CATALOGUE = (
    *READING,
    *LISTING,
    *PAGING,
    *WALKING,
    *KEYING,
    *WRITING,
    *COMPANIONS,
    *COPYING,
    *LATEST,
    *PRICING,
    *RULING,
    *OVERLAPPING,
    *READ_COPYING,
    *TOPPING,
    *STEPPING,
    *PACKING,
)
KINDS = tuple(dict.fromkeys(each.kind for each in CATALOGUE))
