"""What keys cannot hold is refused when the spec is read, with its line and a remedy; not when somebody writes it."""

from __future__ import annotations

import pytest

from tablewright import tasks
from tablewright.errors import DesignError
from tablewright.spec.read import read_spec

SPEC = """\
name: shop
entities:
  Product:
    id: productId
    attributes:
      category: string
      price: {{{price}}}
    count: 1000
access_patterns:
  - {{id: one, kind: get, entity: Product, by: productId}}
  - {{id: list, kind: query, entity: Product, {asked}}}
constraints: {{key_style: {style}}}
"""
SORTED = "by: category, sort: price"
FAULTS = [
    ('type: string, default: "a#b"', SORTED, '7: entities.Product.attributes.price.default: "a#b" holds #'),
    ('values: [a, "b#c"]', "by: price", 'price.values: "b#c" holds #, where .* and list asks by it'),
    ("type: string, max: 2 KB", SORTED, "price.max: 2,048 bytes, and list sorts by it: a key there takes 1,024"),
    ("type: string, validate: {max_length: 3000}", "by: price", "max_length: 3,000 bytes, .* a key there takes 2,048"),
]


def text(price: str, asked: str, style: str = "electrodb") -> str:
    return SPEC.format(price=price, asked=asked, style=style)


@pytest.mark.parametrize(("price", "asked", "told"), FAULTS)
def test_what_keys_cannot_hold_is_refused(price: str, asked: str, told: str) -> None:
    with pytest.raises(DesignError, match=told):
        read_spec(text(price, asked))


@pytest.mark.parametrize(("price", "asked"), [(price, asked) for price, asked, _ in FAULTS[:2]])
def test_plain_keys_hold_it(price: str, asked: str) -> None:
    assert read_spec(text(price, asked, "plain")).constraints.key_style == "plain"


@pytest.mark.parametrize(("price", "asked"), [(price, asked) for price, asked, _ in FAULTS[:2]])
def test_keys_are_plain_where_nobody_says_how_they_are_written(price: str, asked: str) -> None:
    silent = text(price, asked).replace("constraints: {key_style: electrodb}", "")
    assert read_spec(silent).constraints.key_style == "plain"
    design = tasks.design(silent, quick=True)
    assert design.key_style == "plain"
    assert read_spec(design.spec).constraints.key_style == "plain"


@pytest.mark.parametrize("price", ["type: money", "type: number, validate: {min: -5}", "type: number, default: 0.5"])
def test_numbers_of_every_kind_are_held_in_both_styles(price: str) -> None:
    assert read_spec(text(price, SORTED)).constraints.key_style == "electrodb"


def test_what_is_not_asked_by_may_be_anything() -> None:
    silent = text('type: string, default: "a#b"', "by: category").replace("constraints: {key_style: electrodb}", "")
    assert read_spec(silent).constraints.key_style == "electrodb"


def test_a_text_that_is_too_long_for_a_sort_key_stands_in_a_partition_key() -> None:
    spec = text("type: string, max: 2 KB", "by: [category, price]").replace("category: string", "category: {max: 10}")
    design = tasks.design(spec, quick=True)
    keys = [each for item in design.items for keys in item.keys for each in keys.sk]
    assert "price" not in {name for each in keys for name in each.template.names}


def test_a_style_that_is_said_beside_the_spec_is_held_to_the_same() -> None:
    silent = text('type: string, default: "a#b"', SORTED).replace("constraints: {key_style: electrodb}", "")
    with pytest.raises(DesignError, match=r'price.default: "a#b" holds #.*Leave out key_style: electrodb'):
        tasks.design(silent, key_style="electrodb", quick=True)
