"""Every plan, in one place. Rewrites are made in the order in which their plans stand here."""

from __future__ import annotations

from collections.abc import Mapping

from tablewright.architect.plans.apart import APART
from tablewright.architect.plans.embedding import EMBEDDING
from tablewright.architect.plans.plan import FormPlan
from tablewright.architect.plans.sentinel import EXACT, LOOKUP, UNIQUE
from tablewright.architect.plans.split import SPLIT
from tablewright.architect.plans.total import READING, TOTAL
from tablewright.architect.plans.two_steps import TWO_STEPS

FORMS: tuple[FormPlan, ...] = (EMBEDDING, SPLIT, UNIQUE, EXACT, LOOKUP, TOTAL, READING, TWO_STEPS, APART)
FORM_OF: Mapping[str, FormPlan] = {plan.kind: plan for plan in FORMS}
