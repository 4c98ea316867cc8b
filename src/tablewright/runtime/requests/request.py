"""What all requests share: the table, placeholders, projections, options, and their way to and from the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from tablewright.errors import Aborted, ConditionFailed, RequestError
from tablewright.expr.nodes import And, Compare, Condition, Function, In, Name, Or, Value, all_of
from tablewright.expr.render import Placeholders, render_condition
from tablewright.runtime.codecs.choose_reader import reader_for
from tablewright.runtime.items.cursor import key_fields, start_key
from tablewright.runtime.items.letter_case import fields_to_compare
from tablewright.runtime.items.page_items import UNSURE
from tablewright.runtime.items.reading import owns, present
from tablewright.runtime.items.visibility import expired, is_hidden
from tablewright.runtime.options import DEFAULT, Options
from tablewright.wire.call import Call
from tablewright.wire.document import read_reply, to_wire
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout, Values
    from tablewright.schema.keys import ComposedKey, PatternKeys
    from tablewright.wire.call import Reply

Params: TypeAlias = dict[str, Any]
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

GET_PARAMS = frozenset({"ConsistentRead"})
PAGE_PARAMS = frozenset({"ConsistentRead", "Limit", "ScanIndexForward"})
WHOLE_ITEMS = frozenset({"all_old", "all_new"})
WRITE_PARAMS = frozenset({"ReturnValues", "ReturnValuesOnConditionCheckFailure"})


class Operation(Protocol[R_co]):
    """Something that can be run: it shows its request and knows how to turn replies into its result."""

    def params(self) -> Any:
        """The request as it would be sent, with plain values."""
        ...

    def flow(self) -> Flow[R_co]:
        """The operation as effects and replies."""
        ...


def call(action: str, params: Params) -> Flow[Params]:
    """Send one request in document form and receive the reply in document form."""
    reply = yield Call(action, to_wire(params))
    return read_reply(reply)


def write(action: str, params: Params, layout: Layout) -> Flow[Reply]:
    """Send a write in document form."""
    return write_typed(action, to_wire(params), layout)


def write_typed(action: str, params: Params, layout: Layout) -> Flow[Reply]:
    """Send a write. When its condition fails, the error carries the item it met, if that was asked for."""
    try:
        return (yield Call(action, params))  # type: ignore[no-any-return]
    except ConditionFailed as error:
        error.item = read_met(layout, error.details.get("Item"))
        raise


def shown(operation: Any) -> Params:
    """What `params()` says of a write: the request, or the transaction that the features of its entity make of it."""
    plan = operation.layout.plan
    along = None if plan is None else plan.along([operation])
    if along is not None:
        return {"TransactItems": [operation.clause(), *along]}
    return operation.request()  # type: ignore[no-any-return]


def table_of(layout: Layout, options: Options) -> str:
    table = options.table or layout.home.table
    if not table:
        raise RequestError(f"{layout.name} has no table; name one in the service or with the table option", code=2003)
    return table


def finish(params: Params, placeholders: Placeholders | None, options: Options) -> Params:
    """Add names, values and the caller's own parameters to a request."""
    if placeholders is not None:
        if placeholders.names:
            params["ExpressionAttributeNames"] = placeholders.names
        if placeholders.values:
            params["ExpressionAttributeValues"] = placeholders.values
    if not options.params:
        return params
    given = options.params.get("ProjectionExpression")
    if isinstance(given, str) and "ProjectionExpression" in params:  # both count, as in ElectroDB
        return {**params, **options.params, "ProjectionExpression": f"{given}, {params['ProjectionExpression']}"}
    return {**params, **options.params}


def partitions_of(found: Any) -> list[Any]:
    """What a query, scan or collection is asked of: the partitions of a spread query, else itself alone."""
    is_spread = hasattr(found, "is_guess") and found.keys.pattern.is_spread
    return found.layout.spread.lanes(found) if is_spread else [found]


def check_abort(options: Options) -> None:
    if options.abort is not None and options.abort.is_set():
        raise Aborted("Aborted", "the operation was called off")


# ---- conditions -------------------------------------------------------------------------------------------------


def existence(layout: Layout, *, exists: bool) -> Condition | None:
    """That the item does (or does not) exist, said of every field of its table key."""
    name: Any = "attribute_exists" if exists else "attribute_not_exists"
    sides = (layout.primary.pk, layout.primary.sk)
    return all_of(*(Function(name, (Name((side.field,)),)) for side in sides if side is not None))


def owner_filter(layout: Layout) -> Condition:
    """That an item carries this entity's identifiers (or those of a version that can be upgraded)."""
    identifiers = layout.entity.identifiers
    entity = Compare("=", Name((identifiers.entity,)), Value(layout.entity.name))
    if identifiers.version is None:
        return entity
    versions = tuple(Value(version) for version in (layout.entity.version, *layout.upgrades))
    field = Name((identifiers.version,))
    return And((entity, Compare("=", field, versions[0]) if len(versions) == 1 else In(field, versions)))


def stem_of(side: ComposedKey) -> Condition | None:
    """What all keys of an entity begin with on that side, whatever its composites are."""
    text = side.compose({})
    if text is None:
        return None
    return Function("begins_with", (Name((side.field,)), Value(text)))


def currency(layout: Layout, *, exists: bool) -> Condition | None:
    """That an item which is updated is of today's version, or (unless it `exists`) not there at all.

    An update writes the version; on an older item it would pass for today's what was never upgraded.
    """
    field = layout.entity.identifiers.version
    if not layout.strict or not layout.upgrades or field is None:
        return None
    current = Compare("=", Name((field,)), Value(layout.entity.version))
    missing = existence(layout, exists=False)
    return current if exists or missing is None else Or((missing, current))


def upgrading(once: Callable[[], Flow[R]], layout: Layout, composites: Values, options: Options) -> Flow[R]:
    """Run a write; where it fails because the item is of an older version, upgrade that and run it again."""
    if not layout.strict or not layout.upgrades:
        return (yield from once())
    try:
        return (yield from once())
    except ConditionFailed:
        if layout.upgrade_at is None or not (yield from layout.upgrade_at(layout, composites, options)):
            raise
        return (yield from once())


def newness(layout: Layout) -> Condition | None:
    """That nothing is there yet; what is hidden because it has expired counts as nothing."""
    missing = existence(layout, exists=False)
    gone = expired(layout)
    return missing if gone is None or missing is None else Or((missing, gone))


def add_condition(params: Params, name: str, condition: Condition | None, placeholders: Placeholders) -> None:
    if condition is not None:
        params[name] = render_condition(condition, placeholders)


def add_options(
    params: Params, layout: Layout, options: Options, sensible: frozenset[str], *, in_transaction: bool = False
) -> None:
    """Add what the options ask for where it is `sensible`; ElectroDB sends everything with everything."""
    if options is DEFAULT:
        return
    for name, value in _option_params(options, in_transaction=in_transaction):
        if name in sensible or not layout.strict:
            params[name] = value


def _option_params(options: Options, *, in_transaction: bool) -> Iterator[tuple[str, Any]]:
    """The parameters behind the options. A member of a transaction can return its item on failure alone."""
    if options.order is not None:
        yield "ScanIndexForward", options.order.lower() == "asc"
    if options.limit is not None:
        yield "Limit", options.limit
    if options.consistent is True:
        yield "ConsistentRead", True
    if options.response != "default":
        yield ("ReturnValuesOnConditionCheckFailure" if in_transaction else "ReturnValues"), options.response.upper()
    if options.return_on_condition_check_failure == "all_old":
        yield "ReturnValuesOnConditionCheckFailure", "ALL_OLD"


def add_start_key(
    params: Params, layout: Layout, keys: PatternKeys, options: Options, placeholders: Placeholders
) -> None:
    """Go on behind the key in a cursor, which the key condition of the request has to allow (typed style)."""
    text = params.get("KeyConditionExpression")
    asked = None if text is None else (text, placeholders.names, placeholders.values)
    start = start_key(layout, keys, options, asked)
    if start:
        params["ExclusiveStartKey"] = start


# ---- ownership and projections ----------------------------------------------------------------------------------


def ignores_ownership(layout: Layout, keys: PatternKeys | None, options: Options) -> bool:
    """What the caller says; else what the index can tell (keys alone do not say whose they are); else the entity."""
    if options.ignore_ownership is not None:
        return options.ignore_ownership
    if options.hydrate and not layout.strict:
        return True
    if keys is None or keys.pattern.index is None:
        return layout.ignore_ownership
    projection = keys.pattern.projection
    if projection == "all":
        return False
    return projection == "keys_only" or not all(field in projection for field in layout.identity)


def add_projection(
    layout: Layout,
    params: Params,
    placeholders: Placeholders,
    options: Options,
    *,
    identified: bool,
    keys: PatternKeys | None = None,
) -> None:
    """Ask only for the attributes wanted, and for what is needed to recognise and to continue."""
    if not options.attributes or options.hydrate:
        return
    compared = fields_to_compare(layout, keys or layout.primary) if layout.folds else ()
    fields = [*_field_names(layout, options.attributes), *compared, *(layout.identity if identified else ())]
    if options.count is not None and layout.strict:  # its cursor is made from the last item
        fields += key_fields(layout, keys)
    fields += [field for field in (layout.hidden_by, layout.marked_by) if field is not None]
    sides = (layout.primary.pk, layout.primary.sk)
    first = (keys or layout.primary).pk, (keys or layout.primary).sk
    in_keys = [side.field for side in first if side is not None]
    project(params, placeholders, [*(side.field for side in sides if side is not None), *fields], in_keys)


def project(params: Params, placeholders: Placeholders, fields: Iterable[str], in_keys: Collection[str] = ()) -> None:
    """Ask for fields and for all that the request names already, each once: DynamoDB refuses a field named twice.

    (A key condition calls the sort key `#sk1`, whatever else a filter or a projection calls it.) In ElectroDB's order:
    what filters name, what the key condition names (`in_keys`), the rest.
    """
    by_field: dict[str, str] = {}
    for placeholder, field in sorted(placeholders.names.items(), key=lambda each: each[1] in in_keys):
        by_field.setdefault(field, placeholder)
    for field in fields:
        if field not in by_field:
            by_field[field] = placeholders.field(field)
    params["ProjectionExpression"] = ", ".join(by_field.values())


def _field_names(layout: Layout, names: Iterable[str]) -> list[str]:
    """The fields of attributes; ElectroDB takes a name it does not know for a field."""
    known = ((name, layout.attributes.get(name)) for name in names)
    return [each.field if each else name for name, each in known if each is not None or not layout.strict]


def read_item(
    layout: Layout, item: Params | None, options: Options, *, ignore: bool, held: Collection[str] | None = None
) -> Any:
    """An item as the caller gets it, or None when there is none or it is somebody else's."""
    if item is None or not owns(layout, item, by_key=ignore, keys_optional=ignore and options.attributes is not None):
        return None
    if is_hidden(layout, item, options):
        return None
    return read_own(layout, item, options, held=held)


def read_met(layout: Layout, stored: Params | None) -> Any:
    """The item that a condition failed on, from DynamoDB's JSON; None when there is none or it is somebody else's."""
    if not stored:
        return None
    return read_item(layout, unmarshal_item(stored), DEFAULT, ignore=layout.ignore_ownership)


def read_own(layout: Layout, item: Params, options: Options, *, held: Collection[str] | None = None) -> Any:
    """An item that is known to be this entity's, such as the answer to a write.

    `held` are the attributes that could be there, where the item is only part of what is stored.
    """
    include_keys = options.data == "includeKeys"
    values = present(layout, item, include_keys=include_keys, only=options.attributes)
    return layout.make(values, options.attributes if held is None else held)


def whole_item(layout: Layout, reply: Reply, options: Options) -> Any:
    """The item that a write answers with where it is a whole one and compiled code can read it; else `UNSURE`."""
    reader = reader_for(layout, options) if options.response in WHOLE_ITEMS else None
    return UNSURE if reader is None else reader.written(reply)


def held_by(keys: PatternKeys | None, options: Options) -> Collection[str] | None:
    """The attributes that items found in an index can have; None for all."""
    if options.attributes is not None or options.hydrate or keys is None or keys.pattern.projection == "all":
        return options.attributes
    projection = keys.pattern.projection
    return () if isinstance(projection, str) else projection
