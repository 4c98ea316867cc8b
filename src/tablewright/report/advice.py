"""The advice of a design as blocks, section by section; empty sections are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.influence import rests_on
from tablewright.design.wording import amount, difference_text, in_order, money, percent, plural, some, units
from tablewright.report.blocks import Bullets, Grid, Heading, Text, bullets, column, number
from tablewright.report.guesses import guess_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tablewright.design.advice import (
        Alternative,
        Decision,
        NewPattern,
        Question,
        RelationshipNote,
        WriteNote,
    )
    from tablewright.design.model import Design
    from tablewright.report.blocks import Block
    from tablewright.spec.quantities import Assumption

TOP_QUESTIONS = 3
SHORT_ASSUMPTIONS = 6
MANY = 6


def alternatives(design: Design) -> Iterator[Block]:
    found = design.advice.alternatives
    if not found:
        return
    yield Heading("Alternatives")
    yield Grid(
        (
            column("design"),
            number("GSIs"),
            number("second items"),
            number("tables"),
            number("requests a pattern"),
            number("hottest partition"),
            number("a month"),
        ),
        tuple(_alternative_row(each) for each in found),
    )
    others = [_alternative_text(each) for each in found if not each.chosen]
    yield bullets(*others) if others else Text("Nothing else that was tried is better at anything.", "quiet")


def _alternative_text(each: Alternative) -> str:
    gains, costs = (text.rstrip(".") for text in (each.gains, each.costs))
    return f"{each.name}. Better: {gains}. Worse: {costs}.{f' To get it, {each.how}.' if each.how else ''}"


def _alternative_row(each: Alternative) -> tuple[str, ...]:
    return (
        f"{each.name}{' (chosen)' if each.chosen else ''}",
        str(each.gsis),
        str(each.copies),
        str(each.tables),
        units(each.requests_per_pattern),
        percent(each.hottest_share),
        money(each.usd_per_month),
    )


def questions(design: Design, most: int | None = None) -> Iterator[Block]:
    yield from question_blocks(design.advice.questions, most)


def question_blocks(found: Sequence[Question], most: int | None = None) -> Iterator[Block]:
    if not found:
        return
    yield Heading("Questions that would change the design")
    for each in found[:most]:
        yield Text(each.question)
        yield Bullets(tuple(Text(answer_text(each, at)) for at in range(len(each.answers))))
    if most is not None and len(found) > most:
        yield Text(f"And {len(found) - most} more; `tablewright ask` goes through them.", "quiet")


def answer_text(question: Question, at: int) -> str:
    answer = question.answers[at]
    assumed = " (assumed now)" if answer.is_assumed else ""
    return f"{answer.answer}{assumed}: {answer.outcome}"


def top_questions(design: Design) -> Iterator[Block]:
    yield from questions(design, TOP_QUESTIONS)


# ---- why ------------------------------------------------------------------------------------------------------------


def decisions(design: Design) -> Iterator[Block]:
    advice = design.advice
    if not advice.decisions and not advice.why_not_fewer:
        return
    yield Heading("Decisions")
    if advice.why_not_fewer:
        yield Text(advice.why_not_fewer)
    for each in advice.decisions:
        yield from decision(each, with_why=each.kind != "plan", with_addresses=False)


def decision(each: Decision, *, with_why: bool = True, with_addresses: bool = True) -> Iterator[Block]:
    """The reason and the addresses of pages are optional, as some documents have them elsewhere."""
    named = each.chosen.startswith(each.subject)
    yield Heading(each.chosen if named else f"{each.subject}: {each.chosen}", 3)
    if with_why:
        yield Text(each.why)
    others = [name for name in each.patterns if name != each.subject]
    said = [_loss_text(each), f"serves {', '.join(others)}" if others else ""]
    said.append(f"costs {money(each.usd_per_month)} a month" if each.usd_per_month else "")
    pages = [f"{source.title}{f', {source.url}' if with_addresses else ''}" for source in each.sources]
    said += [f"rests on: {'; '.join(pages)}"] if pages else []
    if any(said):
        yield bullets(*(text for text in said if text))


def _loss_text(each: Decision) -> str:
    if not each.alternative:
        return ""
    alternative = each.alternative.rstrip(".")
    if not each.loses.possible:
        return alternative
    return f"next best: {alternative}: {difference_text(each.loses)}"


def short_assumptions(design: Design) -> Iterator[Block]:
    yield from assumptions(design, SHORT_ASSUMPTIONS)


def assumptions(design: Design, most: int | None = None) -> Iterator[Block]:
    """What moves the bill comes first, with how far; then the rest."""
    moving = {each.place for each in rests_on(design)}
    others = (each for each in (*design.assumptions, *design.cost.assumptions) if each.place not in moving)
    found = [*guess_texts(design), *_group_assumptions(sorted(others, key=lambda each: each.place))]
    if not found:
        return
    yield Heading("Assumptions")
    yield bullets(*found[:most])
    if most is not None and len(found) > most:
        yield Text(f"And {len(found) - most} more, in the Markdown and JSON forms.", "quiet")


def _group_assumptions(found: Iterable[Assumption]) -> list[str]:
    """Assumptions in words; one that was made in many places appears once."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for each in found:
        section, _, rest = each.place.partition(".")
        subject, _, field = rest.rpartition(".")
        places.setdefault((section, field if subject else "", each.taken), []).append(subject or rest)
    return [
        " ".join(
            part
            for part in (
                f"{section}:" if any(subjects) else section,
                field,
                f"of {some(sorted(subjects, key=in_order), MANY)}"
                if field
                else some(sorted(subjects, key=in_order), MANY),
            )
            if part
        )
        + f": {taken}"
        for (section, field, taken), subjects in places.items()
    ]


# ---- keeping it right -----------------------------------------------------------------------------------------------


def relationships(design: Design) -> Iterator[Block]:
    if design.advice.relationships:
        yield Heading("Relationships")
    for each in design.advice.relationships:
        yield from relationship(each)


def relationship(each: RelationshipNote) -> Iterator[Block]:
    yield Heading(f"{each.relationship} ({each.kind})", 3)
    yield Text(each.held)
    yield from _labelled_bullets({"copied": each.copied, "kept in step": each.in_step, "on delete": each.on_delete})


def writes(design: Design) -> Iterator[Block]:
    if design.advice.writes:
        yield Heading("Integrity of writes")
    for each in design.advice.writes:
        yield from write_note(each)


def write_note(each: WriteNote) -> Iterator[Block]:
    yield Heading(each.pattern, 3)
    fields = ("uniqueness", "conditions", "transaction", "idempotency", "concurrency", "cascade")
    yield from _labelled_bullets({name: getattr(each, name) for name in fields})


def _labelled_bullets(said: dict[str, str]) -> Iterator[Block]:
    found = [f"{name}: {text}" for name, text in said.items() if text]
    if found:
        yield bullets(*found)


def evolution(design: Design) -> Iterator[Block]:
    yield from evolution_blocks(design.advice.evolution)


def evolution_blocks(found: Sequence[NewPattern]) -> Iterator[Block]:
    if not found:
        return
    yield Heading("Evolution: patterns that may come")
    yield Grid(
        (column("pattern"), column("fits"), column("needs"), number("GSIs"), number("a month")),
        tuple(
            (each.description, "yes" if each.fits else "no", each.needs, f"+{each.gsis}", money(each.usd_per_month))
            for each in found
        ),
    )


def savings(design: Design) -> Iterator[Block]:
    if design.advice.savings:
        yield Heading("Savings")
        yield bullets(
            *(f"{each.subject}: {each.advice} ({money(each.usd_per_month)} a month)" for each in design.advice.savings)
        )


def hot_reads(design: Design) -> Iterator[Block]:
    if design.advice.hot_reads:
        yield Heading("Hot reads")
        yield bullets(*(f"{', '.join(each.patterns)}: {each.how}" for each in design.advice.hot_reads))


def table_counts(design: Design) -> Iterator[Block]:
    note = design.advice.tables
    if note is None:
        return
    yield Heading("One table or several")
    yield Text(
        f"{note.recommended.capitalize()}: {note.why} One table costs {money(note.single_usd_per_month)} a month,"
        f" several {money(note.several_usd_per_month)}."
    )
    yield from _labelled_bullets(dict(note.points))


def critique(design: Design) -> Iterator[Block]:
    found = design.advice.critique
    if not found:
        return
    yield Heading("Self-critique")
    remaining = [each for each in found if not each.passed]
    yield Text(f"{len(found) - len(remaining)} of {len(found)} checks passed.", "warning" if remaining else "good")
    reasons = design.advice.reconsidered
    if remaining:
        yield bullets(
            *(
                " ".join(filter(None, (f"{each.id} {each.check}: {each.remains}", each.why, reasons.get(each.id))))
                for each in remaining
            )
        )


def checks(design: Design) -> Iterator[Block]:
    """How many checks were made, what remains of them and why, and what was paid for those that passed."""
    found = design.advice.critique
    if not found:
        return
    remaining = [each for each in found if not each.passed]
    yield Heading("Checks")
    stay = "remains" if len(remaining) == 1 else "remain"
    ids = f", {len(remaining)} {stay}: {', '.join(each.id for each in remaining)}" if remaining else ", none remains"
    yield Text(f"{plural(len(found), 'check')}{ids}.", "warning" if remaining else "good")
    reasons = design.advice.reconsidered
    yield from _listed(
        (
            *design.advice.tradeoffs,
            *(f"{each.id} {each.remains} {reasons.get(each.id, '')}".strip() for each in remaining),
        )
    )


def _listed(texts: tuple[str, ...]) -> Iterator[Block]:
    if texts:
        yield bullets(*texts)


def tradeoffs(design: Design) -> Iterator[Block]:
    if design.advice.tradeoffs:
        yield Heading("Trade-offs")
        yield bullets(*design.advice.tradeoffs)


def change(design: Design) -> Iterator[Block]:
    """The changes against the design that was to be kept."""
    found = design.change
    if found is None:
        return
    yield Heading("Change")
    yield Text(f"{money(found.usd_per_month)} a month more than before, and {money(found.once_usd)} once.")
    kinds = {"added": found.added, "written differently": found.moved, "gone": found.gone, "no longer read": found.idle}
    yield from _labelled_bullets({name: ", ".join(places) for name, places in {"kept": found.kept, **kinds}.items()})
    if found.steps:
        yield bullets(*(f"{at}. {each}" for at, each in enumerate(found.steps, 1)))


def notes(design: Design) -> Iterator[Block]:
    if design.notes:
        yield Heading("Keep in mind")
        yield bullets(*design.notes)


def naming(design: Design) -> Iterator[Block]:
    encoding = design.encoding
    yield Heading("Conventions")
    said = {
        "delimiter": encoding.delimiter,
        "text in keys": encoding.text,
        "numbers in keys": encoding.numbers,
        "booleans in keys": encoding.booleans,
        "absent attributes": encoding.absent,
        "shards": encoding.shard,
        "time buckets": encoding.bucket,
        "type attribute": encoding.type_field,
    }
    yield from _labelled_bullets(said)
    if design.advice.naming:
        yield bullets(*design.advice.naming)


def sources(design: Design) -> Iterator[Block]:
    if design.advice.sources:
        yield Heading("Sources")
        yield bullets(*(f"{each.title}: {each.url}" for each in design.advice.sources))


# ---- running it -----------------------------------------------------------------------------------------------------


def monitoring(design: Design) -> Iterator[Block]:
    found = design.advice.monitoring
    if not found.alarms and not found.metrics:
        return
    yield Heading("Monitoring")
    if found.alarms:
        yield Grid(
            (column("alarm"), column("metric"), number("threshold"), column("why")),
            tuple(
                (each.name, f"{each.statistic} of {each.metric}", amount(each.threshold), each.why)
                for each in found.alarms
            ),
        )
    if found.metrics:
        yield bullets(*found.metrics)
    if found.contributor_insights:
        places = ", ".join(found.contributor_insights)
        yield Text(f"Contributor Insights on {places}: {found.contributor_insights_why}")


def testing(design: Design) -> Iterator[Block]:
    found = design.advice.testing
    if not found.strategy and not found.stages:
        return
    yield Heading("Testing")
    if found.strategy:
        yield bullets(*found.strategy)
    yield from _labelled_bullets(dict(found.key_distributions))
    if found.stages:
        yield Grid(
            (column("stage"), number("minutes"), number("RCU/s"), number("WCU/s"), column("stop when")),
            tuple(
                (each.name, str(each.minutes), units(each.expected_rcu), units(each.expected_wcu), each.abort_when)
                for each in found.stages
            ),
        )
