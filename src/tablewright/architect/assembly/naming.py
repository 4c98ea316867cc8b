"""Names for what was chosen: the templates of every view in the key style, and what lies beside what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.assembly.electrodb_keys import collections_of, electro_keys, tags_of, with_edges
from tablewright.architect.assembly.plain_keys import labels_of, plain_keys, words_of
from tablewright.architect.assembly.views import KeptKeys, base_of, edges_of, views_of, views_together
from tablewright.design.layout.names import TYPE_FIELDS, fixed_attributes
from tablewright.design.layout.views import Keys, View, groups_of, local_groups
from tablewright.design.values.templates import DELIMITER, KeyTemplate
from tablewright.spec.model import KeyStyle

if TYPE_CHECKING:
    from tablewright.architect.plans.values import Choice
    from tablewright.spec.facts import Facts


class KeyNames(msgspec.Struct, frozen=True):
    """What everything is called: templates by view, the views that share its partitions, and their shards.

    `tags` is what an item says it is; `collections` are the names of what is read together, the widest first.
    """

    keys: Mapping[View, Keys]
    groups: Mapping[View, tuple[View, ...]]
    shards: Mapping[View, int]
    style: KeyStyle = "plain"
    tags: Mapping[View, str] = {}
    collections: Mapping[View, tuple[str, ...]] = {}

    @property
    def type_field(self) -> str:
        """The attribute that says what an item is."""
        return TYPE_FIELDS[self.style]

    def fixed(self, view: View) -> dict[str, str]:
        """The attributes of a view's items that are always the same."""
        return fixed_attributes(self.style, self.tags.get(view, view.entity))

    def together(self, views: Iterable[View]) -> tuple[str, tuple[View, ...]]:
        """What the sort keys of these views begin with, and the others in their partitions that begin so as well."""
        wanted = list(views)
        prefix = _common_stem([self.stem(view) for view in wanted])
        partition = self.keys[wanted[0]].pk
        beside = (view for view in self.keys if view not in wanted and view.index == wanted[0].index)
        return prefix, tuple(
            view for view in beside if self.keys[view].pk == partition and self.stem(view).startswith(prefix)
        )

    def stem(self, view: View) -> str:
        """The literal text that a view's sort key begins with."""
        return self.keys[view].sk.template.stem


def _common_stem(texts: list[str]) -> str:
    """What all texts begin with, up to a delimiter."""
    same = takewhile(lambda characters: len(set(characters)) == 1, zip(*texts, strict=False))
    stem, delimiter, _ = "".join(characters[0] for characters in same).rpartition(DELIMITER)
    return stem + delimiter


def name_keys(
    facts: Facts,
    choice: Choice,
    style: KeyStyle | None = None,
    kept: Mapping[View, KeptKeys] | None = None,
    shards: Mapping[View, int] | None = None,
) -> KeyNames:
    """The names in a key style, by default the one the spec asks for; what is kept is called as it was."""
    views = list(views_of(choice))
    before = {view: each for view, each in (kept or {}).items() if view in views}
    wanted = style or facts.spec.constraints.key_style
    read = [views_together(choice, pattern) for pattern in choice.collections]
    groups = groups_of([view for view in views if view.lsi is None], read)
    together = [*groups, *local_groups(views, groups)]
    wide = {view: _shards_of(group, shards or {}, before) for group in groups for view in group}
    spread = {view: wide[_base_view(view, choice)] for view in views}
    tags = tags_of(views, facts.spec.entities, before)
    collections = collections_of(groups, choice, before)
    edges = edges_of(facts, choice)
    if wanted == "electrodb":
        collections = with_edges(collections, edges, tags)
        keys = {
            view: electro_keys(view, tags[view.first], facts.spec.name, collections.get(view, ()), spread[view])
            for view in views
        }
    else:
        labels, words = labels_of(groups, before), words_of(views, edges, before)
        keys = {view: plain_keys(view, labels[_base_view(view, choice)], words[view], spread[view]) for view in views}
    keys = _share_keys(facts, keys)
    return KeyNames(
        keys={view: _with_table_partition(view, keys, choice) for view in views},
        groups={view: group for group in together for view in group},
        shards=spread,
        style=wanted,
        tags=tags,
        collections=collections,
    )


def _share_keys(facts: Facts, keys: Mapping[View, Keys]) -> dict[View, Keys]:
    """Sentinels of values that are unique across entities have the same keys, whatever each calls its attribute."""
    found = dict(keys)
    for view in keys:
        spec = facts.spec.entities[view.entity]
        if spec.shares:
            (first,) = (each for each in keys if each.entity == spec.shares)
            names = dict(zip(facts.spec.entities[spec.shares].id, spec.id, strict=True))
            pk, sk = keys[first].pk, keys[first].sk
            found[view] = Keys(
                KeyTemplate(pk.field, pk.template.rename(names)), KeyTemplate(sk.field, sk.template.rename(names))
            )
    return found


def _shards_of(group: tuple[View, ...], wanted: Mapping[View, int], kept: Mapping[View, KeptKeys]) -> int:
    """As many as any of them needs, and never fewer than there were."""
    before = (kept[view].shards for view in group if view in kept)
    return max(1, *(wanted.get(view, 1) for view in group), *before)


def _base_view(view: View, choice: Choice) -> View:
    """The view whose partitions this one shares: for a local index the table's."""
    return view if view.lsi is None else base_of(view, choice)


def _with_table_partition(view: View, keys: Mapping[View, Keys], choice: Choice) -> Keys:
    """A local index has the partition key of the table."""
    return keys[view] if view.lsi is None else Keys(keys[base_of(view, choice)].pk, keys[view].sk)
