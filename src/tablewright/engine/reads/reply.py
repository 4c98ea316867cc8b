"""x"""
from __future__ import annotations
import msgspec
from typing import Any
from tablewright.expr.nodes import Condition, Name
from tablewright.engine.reads.shown import *
from tablewright.engine.reads.shown import narrowed, pick_names
from tablewright.expr.evaluate import evaluate
class Wanted(msgspec.Struct, frozen=True):
    filter: Any = None
    paths: Any = None

def page_reply(params, source, wanted, page):
    visible = source.index.projected(source.table.keys) if source.index else None
    texts = [row[0] for row in page.rows]
    if wanted.filter is not None:
        texts = [t for t in texts if evaluate(wanted.filter, narrowed(from_text(t), visible))]
    show = shower(wanted.paths, visible)
    reply = {"Items": [show(t) for t in texts], "Count": len(texts), "ScannedCount": len(page.rows)}
    if not page.complete:
        reply["LastEvaluatedKey"] = pick_names(page.rows[-1][0], source.key_names)
    return reply
