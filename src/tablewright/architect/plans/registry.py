"""Every plan, in one place. Rewrites are made in the order in which their plans stand here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.absent import ABSENT
from tablewright.architect.plans.apart import APART
from tablewright.architect.plans.bucket import TIME_BUCKET
from tablewright.architect.plans.cascade import CASCADE
from tablewright.architect.plans.collection import COLLECTION
from tablewright.architect.plans.copied import COPIED
from tablewright.architect.plans.edge import EDGE
from tablewright.architect.plans.embedding import EMBEDDING
from tablewright.architect.plans.fan_out import FAN_OUT
from tablewright.architect.plans.followed import FOLLOWED
from tablewright.architect.plans.global_index import GLOBAL_INDEX
from tablewright.architect.plans.latest import LATEST, NEWEST
from tablewright.architect.plans.list_then_items import LIST_THEN_ITEMS
from tablewright.architect.plans.local_index import LOCAL_INDEX
from tablewright.architect.plans.native_keys import NATIVE_KEYS
from tablewright.architect.plans.order import ORDER
from tablewright.architect.plans.packing import PACKING
from tablewright.architect.plans.parents import PARENTS
from tablewright.architect.plans.pointer import POINTER
from tablewright.architect.plans.projection import PROJECTION
from tablewright.architect.plans.read_copies import READ_COPIES
from tablewright.architect.plans.refreshed import REFRESHED
from tablewright.architect.plans.second_item import SECOND_ITEM
from tablewright.architect.plans.sentinel import EXACT, LOOKUP, UNIQUE
from tablewright.architect.plans.shards import SHARDS
from tablewright.architect.plans.sparse import SPARSE
from tablewright.architect.plans.split import SPLIT
from tablewright.architect.plans.steps import STEPS
from tablewright.architect.plans.table_key import TABLE_KEY
from tablewright.architect.plans.top import TOP
from tablewright.architect.plans.total import READING, TOTAL, WHOLE
from tablewright.architect.plans.trailing import TRAILING
from tablewright.architect.plans.two_steps import TWO_STEPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.architect.plans.plan import FormPlan, PlacePlan, Plan, VariantPlan
    from tablewright.architect.plans.writing import Companion

FORMS: tuple[FormPlan, ...] = (
    LIST_THEN_ITEMS,
    ORDER,
    EMBEDDING,
    PACKING,
    SPLIT,
    UNIQUE,
    EXACT,
    POINTER,
    LOOKUP,
    LATEST,
    NEWEST,
    TOTAL,
    TRAILING,
    STEPS,
    TOP,
    READING,
    WHOLE,
    TWO_STEPS,
    COPIED,
    REFRESHED,
    FOLLOWED,
    PARENTS,
    CASCADE,
    EDGE,
    APART,
)
PLACES: tuple[PlacePlan, ...] = (TABLE_KEY, GLOBAL_INDEX, LOCAL_INDEX, SECOND_ITEM)
VARIANTS: tuple[VariantPlan, ...] = (
    FAN_OUT,
    ABSENT,
    TIME_BUCKET,
    SPARSE,
    PROJECTION,
    COLLECTION,
    SHARDS,
    READ_COPIES,
    NATIVE_KEYS,
)
PLANS: tuple[Plan, ...] = (*FORMS, *PLACES, *VARIANTS)

COMPANION_OF: Mapping[str, Companion] = {plan.companion.kind: plan.companion for plan in FORMS if plan.companion}
FORM_OF: Mapping[str, FormPlan] = {plan.kind: plan for plan in FORMS}
PLACE_OF: Mapping[str, PlacePlan] = {plan.place: plan for plan in PLACES}
NUMBERED: Mapping[str, int] = {kind: at for plan in PLANS for kind, at in plan.numbered.items()}
SHARED: tuple[str, ...] = tuple(kind for plan in PLANS for kind in plan.shared)
