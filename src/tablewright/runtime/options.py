"""Execution options: what a caller may ask of any operation beside what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from tablewright.errors import RequestError

DataMode: TypeAlias = Literal["attributes", "includeKeys", "raw"]
Compare: TypeAlias = Literal["exact", "keys", "attributes", "v2"]
Response: TypeAlias = Literal["default", "none", "all_old", "updated_old", "all_new", "updated_new"]

DATA_MODES = ("attributes", "includeKeys", "raw")
COMPARES = ("exact", "keys", "attributes", "v2")
RESPONSES = ("default", "none", "all_old", "updated_old", "all_new", "updated_new")


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """All options with their defaults; None means that the operation decides."""

    params: Mapping[str, Any] | None = None
    table: str | None = None
    data: DataMode = "attributes"
    attributes: tuple[str, ...] | None = None
    response: Response = "default"
    return_on_condition_check_failure: bool | Literal["all_old"] = False
    original_err: bool = False
    ignore_ownership: bool | None = None
    consistent: bool = False
    limit: int | None = None
    pages: int | Literal["all"] = 1
    count: int | None = None
    cursor: Any = None
    order: str | None = None
    compare: Compare | None = None
    hydrate: bool = False
    concurrent: int = 1
    width: int | None = None
    expired: bool = False
    deleted: bool = False
    unprocessed: Literal["item", "raw"] = "item"
    preserve_batch_order: bool = False
    token: str | None = None
    listeners: tuple[Callable[[dict[str, Any]], Any], ...] = ()
    logger: Callable[[dict[str, Any]], Any] | None = None
    abort: Any = None
    across_tenants: bool = False


DEFAULT = Options()
RESPONDING: Mapping[str, Options] = {what: Options(response=what) for what in get_args(Response)}
"""Those of writes that ask for nothing but an answer: they are made once."""


def read_options(given: Mapping[str, Any]) -> Options:
    """Options from keyword arguments, each checked; an unknown one is answered with the nearest that exists."""
    for name in given:
        if name not in Options.__struct_fields__:
            raise _unknown_option(name)
    values = {name: value for name, value in given.items() if value is not None}
    if "attributes" in values:
        values["attributes"] = tuple(values["attributes"])
    if "listeners" in values:
        values["listeners"] = tuple(values["listeners"])
    options = Options(**values)
    check_options(options)
    return options


def _unknown_option(name: str) -> RequestError:
    import difflib  # only to help someone who mistyped

    near = difflib.get_close_matches(name, Options.__struct_fields__, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"known options: {', '.join(Options.__struct_fields__)}"
    return RequestError(f"unknown option {name!r}; {hint}", code=1010)


def check_options(options: Options) -> None:
    _one_of("data", options.data, DATA_MODES)
    _one_of("response", options.response, RESPONSES)
    _one_of("unprocessed", options.unprocessed, ("item", "raw"))
    if options.compare is not None:
        _one_of("compare", options.compare, COMPARES)
    if options.order is not None:
        _one_of("order", str(options.order).lower(), ("asc", "desc"))
    if options.return_on_condition_check_failure not in (True, False, "all_old"):
        raise _bad_option(
            "return_on_condition_check_failure", options.return_on_condition_check_failure, 'True, "all_old"'
        )
    for name, value in (("count", options.count), ("limit", options.limit), ("width", options.width)):
        if value is not None and not is_positive(value):
            raise _bad_option(name, value, "a number of at least 1")
    for listener in (*options.listeners, *([options.logger] if options.logger is not None else [])):
        if not callable(listener):
            raise _bad_option("listeners", listener, "functions that take an event", code=1021)
    if options.abort is not None and not callable(getattr(options.abort, "is_set", None)):
        raise _bad_option("abort", options.abort, "an event with is_set(), such as threading.Event()")


def _one_of(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise _bad_option(name, value, ", ".join(choices))


def _bad_option(name: str, value: Any, wanted: str, *, code: int = 1010) -> RequestError:
    return RequestError(f"option {name} is {value!r}, but must be one of: {wanted}", code=code)


def is_positive(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def pages_allowed(options: Options) -> float:
    """How many pages to read."""
    if options.pages == "all":
        return float("inf")
    if not is_positive(options.pages):
        raise RequestError(f'option pages is {options.pages!r}, but must be a number of at least 1 or "all"', code=2005)
    return options.pages


def batches_at_once(options: Options) -> int:
    if not is_positive(options.concurrent):
        raise RequestError(f"option concurrent is {options.concurrent!r}, but must be at least 1", code=2004)
    return options.concurrent
