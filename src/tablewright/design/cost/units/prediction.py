"""What one run of a pattern consumes, as a value."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

Units = Mapping[str, float]
NONE: Units = {}


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a pattern on average: units by place and by entity, and what it takes to get them."""

    pattern: str
    requests: float  # calls: pages, shards, and the look-up of a write that has to find its key
    items: float  # read under the key before any filter, or written
    bytes_read: float = 0.0
    rcu: float = 0.0
    wcu: float = 0.0
    rcu_by_place: Units = NONE
    wcu_by_place: Units = NONE
    rcu_by_entity: Units = NONE
    wcu_by_entity: Units = NONE
    item_wcu: float = 0.0  # of wcu: the items themselves
    index_wcu: float = 0.0  # of wcu: index entries, the write amplification
    copy_wcu: float = 0.0  # of wcu: copies and unique sentinels
    failed_wcu: float = 0.0  # of wcu: spent on refused conditions
    followed_wcu: float = 0.0  # not in wcu: what a function writes afterwards that follows the stream
    followed_rcu: float = 0.0  # not in rcu: what such a function reads
    transactional: bool = False
