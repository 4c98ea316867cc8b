"""`tablewright ask`: an interview about what a spec leaves open. All is written at the end, or nothing is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tablewright.cli.terminal import show_blocks, show_status
from tablewright.errors import RequestError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from tablewright.cli.engine import Commands
    from tablewright.design.advice import Answer, Question
    from tablewright.report.blocks import Block


def add_ask(commands: Commands) -> None:
    command = commands.add_parser(
        "ask",
        help="an interview: questions whose answers would change the design, written into the spec",
        description="Asks what would change the design, most valuable first, and shows what each answer leads to. The"
        " answers are written into the spec at the end; Ctrl+C leaves it as it was.",
        allow_abbrev=False,
    )
    command.add_argument("spec", type=Path, help="the spec (YAML or JSON) to be completed")
    command.add_argument(
        "--answers", metavar="LIST", help="the numbers of the answers, such as 1,2,,1; an empty one skips a question"
    )
    command.add_argument("--json", action="store_true", help="the questions as JSON; nothing is asked or written")
    command.set_defaults(run=_run_ask)


def _run_ask(options: argparse.Namespace) -> None:
    from tablewright import tasks
    from tablewright.cli.designs import show_value

    with show_status("looking for questions"):
        questions = tasks.questions(options.spec)
    if options.json:
        show_value(questions)
    elif not questions:
        sys.stdout.write("Nothing to ask: no answer would change the design.\n")
    else:
        replies = _read_replies() if options.answers is None else iter(options.answers.split(","))
        places = tasks.answer(options.spec, list(_ask_questions(questions, replies)))
        told = f"{', '.join(places)} written to {options.spec}" if places else f"{options.spec} is as it was"
        sys.stdout.write(f"\n{told}\n")


def _read_replies() -> Iterator[str]:
    """Lines from the keyboard or a pipe, until it ends."""
    while True:
        sys.stdout.write("Which? (Enter skips) ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not sys.stdin.isatty():  # a terminal shows what is typed; elsewhere nothing would end the line
            sys.stdout.write(f"{line.strip()}\n")
        if not line:
            return
        yield line.strip()


def _ask_questions(questions: tuple[Question, ...], replies: Iterator[str]) -> Iterator[Answer]:
    """Answers as long as there are replies."""
    for at, question in enumerate(questions, 1):
        show_blocks(_question_blocks(f"{at} of {len(questions)}", question))
        try:
            answer = _ask_question(question, replies)
        except StopIteration:
            return
        if answer is not None:
            yield answer


def _question_blocks(number: str, question: Question) -> Iterator[Block]:
    from tablewright.report.advice import answer_text
    from tablewright.report.blocks import Bullets, Heading, Text

    yield Heading(f"{number}: {question.question}")
    yield Bullets(tuple(Text(f"{at + 1}) {answer_text(question, at)}") for at in range(len(question.answers))))


def _ask_question(question: Question, replies: Iterator[str]) -> Answer | None:
    """The answer with the number that was given, None for a skipped question; a person may try again."""
    while reply := next(replies).strip():
        if reply.isdecimal() and 1 <= int(reply) <= len(question.answers):
            return question.answers[int(reply) - 1]
        problem = f"{reply!r} is no answer; write a number from 1 to {len(question.answers)}"
        if not sys.stdin.isatty():
            raise RequestError(problem)
        sys.stdout.write(f"{problem}\n")
    return None
