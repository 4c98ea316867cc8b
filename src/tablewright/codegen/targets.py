"""What can be generated: by name, what it is, and the function that makes its files from a design.

A file's path begins with a folder of its target, so that all of them fit side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import msgspec

from tablewright.design.model import Design
from tablewright.errors import DesignError, SchemaError
from tablewright.report.markdown import inline
from tablewright.schema.places import nearest

Files: TypeAlias = Mapping[str, str]
ALL = "all"
LEFT_OUT = "left-out.md"
LEFT_OUT_HEAD = "# Left out\n\nThis design cannot be made into everything:\n\n"


class Target(msgspec.Struct, frozen=True):
    """`optional` ones are made when they are asked for by name, not with all the others.

    `refuses` says why a design cannot be made into it, if it cannot: then it is no part of all, see `left_out`.
    """

    about: str
    files: Callable[[Design], Files]
    optional: bool = False
    refuses: Callable[[Design], str | None] = lambda _: None


def cloudformation(design: Design) -> Files:
    from tablewright.codegen.infrastructure.cloudformation import cloudformation as made
    from tablewright.codegen.infrastructure.resources import infrastructure_of

    return made(infrastructure_of(design))


def cdk_typescript(design: Design) -> Files:
    from tablewright.codegen.infrastructure.cdk_typescript import cdk_typescript as made
    from tablewright.codegen.infrastructure.resources import infrastructure_of

    return made(infrastructure_of(design))


def cdk_python(design: Design) -> Files:
    from tablewright.codegen.infrastructure.cdk_python import cdk_python as made
    from tablewright.codegen.infrastructure.resources import infrastructure_of

    return made(infrastructure_of(design))


def terraform(design: Design) -> Files:
    from tablewright.codegen.infrastructure.resources import infrastructure_of
    from tablewright.codegen.infrastructure.terraform import terraform as made

    return made(infrastructure_of(design))


def typescript(design: Design) -> Files:
    from tablewright.codegen.typescript.project import typescript as made

    return made(design)


def typescript_refuses(design: Design) -> str | None:
    from tablewright.codegen.typescript.project import refuses

    return refuses(design)


def electrodb(design: Design) -> Files:
    from tablewright.codegen.electrodb.project import electrodb as made

    return made(design)


def electrodb_refuses(design: Design) -> str | None:
    from tablewright.codegen.electrodb.project import refuses

    return refuses(design)


def python(design: Design) -> Files:
    from tablewright.codegen.python.project import python as made

    return made(design)


def classes(design: Design) -> Files:
    from tablewright.codegen.python.classes.module import classes as made

    return made(design.service)


def classes_refuse(design: Design) -> str | None:
    """A class cannot say everything that a design may come to; `python` finds its way around that."""
    if not design.service:
        return "this design has no service; its notes say why"
    try:
        classes(design)
    except SchemaError as error:
        return f"{error.message.rstrip('.')}; or use --to python"
    return None


def python_boto3(design: Design) -> Files:
    from tablewright.codegen.python.plain.project import python_boto3 as made

    return made(design)


def partiql(design: Design) -> Files:
    from tablewright.codegen.examples.page import examples as made

    return made(design)


def lambdas(design: Design) -> Files:
    from tablewright.codegen.lambdas.project import lambdas as made

    return made(design)


def lambdas_refuse(design: Design) -> str | None:
    from tablewright.codegen.lambdas.project import refuses

    return refuses(design)


def appsync(design: Design) -> Files:
    from tablewright.codegen.appsync.project import appsync as made

    return made(design)


def stepfunctions(design: Design) -> Files:
    from tablewright.codegen.stepfunctions.machines import stepfunctions as made

    return made(design)


def amplify(design: Design) -> Files:
    from tablewright.codegen.amplify import amplify as made

    return made(design)


def workbench(design: Design) -> Files:
    from tablewright.codegen.workbench import workbench as made

    return made(design)


def document(design: Design) -> Files:
    from tablewright.codegen.examples.page import requests_of
    from tablewright.report.document import document as blocks
    from tablewright.report.html.page import html_page
    from tablewright.report.markdown import markdown

    return {"document/design.html": html_page(design, requests_of), "document/design.md": markdown(blocks(design))}


TARGETS: dict[str, Target] = {
    "cloudformation": Target("tables, alarms and policies as a CloudFormation template, YAML and JSON", cloudformation),
    "cdk-ts": Target("the same as a CDK app in TypeScript (TableV2)", cdk_typescript),
    "cdk-python": Target("the same as a CDK app in Python (TableV2)", cdk_python),
    "terraform": Target("the same for Terraform", terraform),
    "typescript": Target(
        "a TypeScript package on the AWS SDK v3: one function for every access pattern",
        typescript,
        refuses=typescript_refuses,
    ),
    "electrodb": Target(
        "the same service as ElectroDB entities in TypeScript, with types", electrodb, refuses=electrodb_refuses
    ),
    "python": Target("a typed Python package on Tablewright: one function for every access pattern", python),
    "classes": Target(
        "typed classes alone, also from an ElectroDB schema or a service's JSON",
        classes,
        optional=True,
        refuses=classes_refuse,
    ),
    "python-boto3": Target("the same on plain boto3, without Tablewright", python_boto3, optional=True),
    "partiql": Target("every access pattern in PartiQL, AWS CLI and SDK calls, with sample keys", partiql),
    "document": Target("the design document: Markdown, and one HTML page that needs no network", document),
    "lambda": Target(
        "functions in Python and TypeScript that follow the table's stream", lambdas, refuses=lambdas_refuse
    ),
    "appsync": Target("AppSync resolvers in JavaScript with a GraphQL schema", appsync, optional=True),
    "stepfunctions": Target("Step Functions state machines for single requests", stepfunctions, optional=True),
    "amplify": Target("the entities as Amplify models (defineData), a table for each", amplify, optional=True),
    "workbench": Target("a model for NoSQL Workbench, with sample items and facets", workbench),
}


def generate(design: Design, targets: Iterable[str]) -> dict[str, str]:
    """The files of some targets, or of `all`; a name that is none is refused before anything is made.

    Where a part of `all` does not suit the design, a file says which and why.
    """
    wanted = list(targets)
    unfit = left_out(design, wanted)
    files: dict[str, str] = {}
    for name in named(wanted):
        if name not in unfit:
            files |= TARGETS[name].files(design)
    if unfit:
        files[LEFT_OUT] = "".join(
            [LEFT_OUT_HEAD, *(f"- {name}: {inline(reason)}.\n" for name, reason in unfit.items())]
        )
    return dict(sorted(files.items()))


def left_out(design: Design, targets: Iterable[str]) -> dict[str, str]:
    """By target of `all` that this design cannot be made into: the reason. What is asked for by name is an error."""
    wanted = list(targets)
    reasons = {name: TARGETS[name].refuses(design) for name in named(wanted)}
    unfit = {name: reason for name, reason in reasons.items() if reason is not None}
    for name, reason in unfit.items():
        if name in wanted:
            raise DesignError(f"{name}: {reason}.")
    return unfit


def named(targets: Iterable[str]) -> list[str]:
    wanted = list(targets)
    for each in wanted:
        if each != ALL and each not in TARGETS:
            raise DesignError(f'there is no target "{each}".{nearest(each, list(TARGETS))} There are: {known()}.')
    if ALL in wanted:
        wanted += [name for name, target in TARGETS.items() if not target.optional]
    return [name for name in TARGETS if name in wanted]


def known() -> str:
    return ", ".join([*TARGETS, ALL])
