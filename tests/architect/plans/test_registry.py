"""Every plan module is in the registry, and every word for a kind belongs to one plan."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import get_args

from tablewright.architect import plans
from tablewright.architect.plans.plan import Plan
from tablewright.architect.plans.registry import COMPANION_OF, FORM_OF, FORMS, NUMBERED, PLACE_OF, PLACES, PLANS, SHARED
from tablewright.architect.plans.values import PlaceName
from tablewright.design.layout.forms import Kind
from tablewright.design.model import ItemKind
from tablewright.spec.model import REWRITES
from tests.architect.plans.specs import BRIEF, BY_EMAIL, CUSTOMER, LINES, ORDER, WITH_LINES, facts_of, owned

MODULES = [import_module(f"{plans.__name__}.{each.stem}") for each in Path(plans.__path__[0]).glob("*.py")]


def test_every_plan_of_the_folder_is_registered() -> None:
    found = {id(each) for module in MODULES for each in vars(module).values() if isinstance(each, Plan)}
    assert found == {id(each) for each in PLANS}


def test_every_kind_of_rewrite_and_every_place_has_one_plan() -> None:
    assert sorted(each.kind for each in FORMS) == sorted(get_args(Kind))
    assert sorted(each.place for each in PLACES) == sorted(get_args(PlaceName))
    assert set(REWRITES) <= FORM_OF.keys()
    assert {each.variable for each in PLACES} == {"base", "gsi", "lsi", "copy"}


def test_kinds_of_items_belong_to_plans() -> None:
    assert COMPANION_OF.keys() < set(get_args(ItemKind))
    assert {each.item_kind for each in PLACES} <= set(get_args(ItemKind))
    assert PLACE_OF["table"].item_kind == "entity"


def test_variables_of_physical_indexes_have_their_number_first() -> None:
    assert {NUMBERED[kind] for kind in SHARED} == {1}


def test_what_a_spec_may_forbid_has_a_name_without_it() -> None:
    with_total, with_copied = ("trailing", "steps", "top"), ("refreshed", "followed")  # which go without `stale`, too
    may_forbid = (*REWRITES, *with_total, *with_copied)
    assert [each.kind for each in FORMS if each.without] == [each.kind for each in FORMS if each.kind in may_forbid]


def test_what_is_only_offered_can_be_forbidden() -> None:
    """A spec's `rewrites` names what may be left; a plan that offers under another word would never be asked."""
    facts = facts_of(owned(CUSTOMER, BRIEF, BY_EMAIL, ORDER, WITH_LINES, LINES))
    assert {each.kind for plan in FORMS for each in plan.offers(facts)} == {"embed", "split", "lookup"} <= set(REWRITES)


def test_companions_are_told_apart_by_their_kinds() -> None:
    kinds = [plan.companion.kind for plan in FORMS if plan.companion]
    assert len(set(kinds)) == len(kinds)


def test_the_page_lists_what_a_spec_may_forbid() -> None:
    page = (Path(__file__).parents[3] / "docs" / "architect" / "search.md").read_text()
    table = page.partition("| rewrite | what changes | offered where |")[2].partition("\n\n")[0]
    listed = {row.split("|")[1].strip(" `") for row in table.splitlines()[2:]}
    assert set(REWRITES) <= listed
