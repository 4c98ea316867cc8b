"""The words PartiQL keeps for itself: as attribute names they must be quoted."""

from __future__ import annotations

KEYWORDS = frozenset(
    """
    absolute action add all allocate alter and any are as asc assertion at authorization avg bag begin between bigint
    bit bit_length blob bool boolean by can_cast can_lossless_cast cascade cascaded case cast catalog char char_length
    character character_length check clob close coalesce collate collation column commit conflict connect connection
    constraint constraints continue convert corresponding count create cross current current_date current_time
    current_timestamp current_user cursor date date_add date_diff deallocate dec decimal declare default deferrable
    deferred delete desc describe descriptor diagnostics disconnect distinct do domain double drop else end escape
    except exception exec execute exists external extract false fetch first float for foreign found from full get
    global go goto grant group having identity immediate in index indicator initially inner input insensitive insert
    int int2 int4 int8 integer integer2 integer4 integer8 intersect interval into is isolation join key language last
    left let level like limit list local lower match max min missing modified module names national natural nchar new
    next no not nothing null nullif numeric octet_length of offset old on open option or order outer output
    overlaps pad partial pivot position precision prepare preserve primary prior privileges procedure public read real
    references relative remove restrict returning revoke right rollback rows schema scroll section select session
    session_user set sexp size smallint some space sql sqlcode sqlerror sqlstate string struct substring sum symbol
    system_user table temporary then time timestamp to transaction translate translation trim true tuple union unique
    unknown unpivot update upper usage user using value values varchar varying view when whenever where with work write
    zone
    """.split()
)

WORD_OPERATORS = frozenset({"and", "or", "not", "in", "is", "like", "between", "union", "except", "intersect"})
LITERAL_WORDS = frozenset({"true", "false", "null", "missing"})

FUNCTION_WORDS = frozenset(
    """
    exists count avg max min sum substring char_length character_length octet_length bit_length upper lower size sexp
    list bag
    """.split()
)

JOINED_WORDS = {
    ("insert", "into"): "insert_into",
    ("is", "not"): "is_not",
    ("not", "in"): "not_in",
    ("not", "between"): "not_between",
    ("not", "like"): "not_like",
    ("modified", "old"): "modified_old",
    ("modified", "new"): "modified_new",
    ("all", "old"): "all_old",
    ("all", "new"): "all_new",
    ("on", "conflict"): "on_conflict",
    ("do", "nothing"): "do_nothing",
    ("character", "varying"): "character_varying",
    ("double", "precision"): "double_precision",
}
"""Pairs of words that are one token."""

JOINS = frozenset({"join", "inner", "left", "right", "full", "outer", "cross"})

TYPE_WORDS = frozenset(
    """
    missing null bool boolean smallint integer2 int2 integer4 int4 integer8 int8 bigint integer int float real
    double_precision decimal dec numeric timestamp date time character char character_varying varchar string symbol
    clob blob struct tuple list sexp bag any
    """.split()
)
"""What may follow IS; few of them mean something to DynamoDB (`conditions.py`)."""
