"""What can be generated: by name, what it is, and the function that makes its files from a design.

This table is the only list: the command's choices, the table in the documentation and `generate` follow from it. A
file's path begins with a folder of its target, so that all of them fit side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import msgspec

from tablewright.codegen.amplify import amplify
from tablewright.codegen.appsync.project import appsync
from tablewright.codegen.electrodb import project as electrodb
from tablewright.codegen.examples.page import examples, requests_of
from tablewright.codegen.infrastructure.cdk_python import cdk_python
from tablewright.codegen.infrastructure.cdk_typescript import cdk_typescript
from tablewright.codegen.infrastructure.cloudformation import cloudformation
from tablewright.codegen.infrastructure.resources import Infrastructure, infrastructure_of
from tablewright.codegen.infrastructure.terraform import terraform
from tablewright.codegen.lambdas import project as lambdas
from tablewright.codegen.python.classes.module import classes
from tablewright.codegen.python.plain.project import python_boto3
from tablewright.codegen.python.project import python
from tablewright.codegen.stepfunctions.machines import stepfunctions
from tablewright.codegen.typescript import project as typescript
from tablewright.codegen.workbench import workbench
from tablewright.design.model import Design
from tablewright.design.service import service_of
from tablewright.errors import DesignError, SchemaError
from tablewright.report.document import document
from tablewright.report.html.page import html_page
from tablewright.report.markdown import inline, markdown
from tablewright.schema.places import nearest

Files: TypeAlias = Mapping[str, str]
ALL = "all"
_LEFT_OUT = "left-out.md"
_LEFT_OUT_HEAD = "# Left out\n\nThis design cannot be made into everything:\n\n"


class _Target(msgspec.Struct, frozen=True):
    """`optional` ones are made when they are asked for by name, not with all the others.

    `refuses` says why a design cannot be made into it, if it cannot: then it is no part of `all`.
    """

    about: str
    files: Callable[[Design], Files]
    optional: bool = False
    refuses: Callable[[Design], str | None] = lambda _: None


def _deployed(print_files: Callable[[Infrastructure], Files]) -> Callable[[Design], Files]:
    return lambda design: print_files(infrastructure_of(design))


def _document(design: Design) -> Files:
    return {"document/design.html": html_page(design, requests_of), "document/design.md": markdown(document(design))}


def _refuse_classes(design: Design) -> str | None:
    """A class cannot say everything that a design may come to; `python` finds its way around that."""
    if not design.service:
        return "this design has no service; its notes say why"
    try:
        classes(design.service)
    except SchemaError as error:
        return f"{error.message.rstrip('.')}; or use --to python"
    return None


def _refuse_entities(design: Design) -> str | None:
    """Packages have the design's items as entities of the runtime, which may not be able to hold them."""
    try:
        service_of(design, mirrors=False)
    except SchemaError as error:
        return error.message.rstrip(".")
    return None


def _refuse_replicas(design: Design) -> str | None:
    """Who makes tables must be able to make replicas of them."""
    if not design.cost.regions:
        return None
    others = ", ".join(each.region for each in design.cost.regions[1:])
    return f"Amplify makes tables in one region, and this design has replicas in {others}; use --to cdk-ts"


TARGETS: dict[str, _Target] = {
    "cloudformation": _Target(
        "tables, alarms and policies as a CloudFormation template, YAML and JSON", _deployed(cloudformation)
    ),
    "cdk-ts": _Target("the same as a CDK app in TypeScript (TableV2)", _deployed(cdk_typescript)),
    "cdk-python": _Target("the same as a CDK app in Python (TableV2)", _deployed(cdk_python)),
    "terraform": _Target("the same for Terraform", _deployed(terraform)),
    "typescript": _Target(
        "a TypeScript package on the AWS SDK v3: one function for every access pattern",
        typescript.typescript,
        refuses=typescript.refuses,
    ),
    "electrodb": _Target(
        "the same service as ElectroDB entities in TypeScript, with types",
        electrodb.electrodb,
        refuses=lambda design: _refuse_entities(design) or electrodb.refuses(design),
    ),
    "python": _Target(
        "a typed Python package on Tablewright: one function for every access pattern",
        python,
        refuses=_refuse_entities,
    ),
    "classes": _Target(
        "typed classes alone, also from an ElectroDB schema or a service's JSON",
        lambda design: classes(design.service),
        optional=True,
        refuses=_refuse_classes,
    ),
    "python-boto3": _Target(
        "the same on plain boto3, without Tablewright", python_boto3, optional=True, refuses=_refuse_entities
    ),
    "partiql": _Target("every access pattern in PartiQL, AWS CLI and SDK calls, with sample keys", examples),
    "document": _Target("the design document: Markdown, and one HTML page that needs no network", _document),
    "lambda": _Target(
        "functions in Python and TypeScript that follow the table's stream", lambdas.lambdas, refuses=lambdas.refuses
    ),
    "appsync": _Target("AppSync resolvers in JavaScript with a GraphQL schema", appsync, optional=True),
    "stepfunctions": _Target("Step Functions state machines for single requests", stepfunctions, optional=True),
    "amplify": _Target(
        "the entities as Amplify models (defineData), a table for each",
        amplify,
        optional=True,
        refuses=_refuse_replicas,
    ),
    "workbench": _Target("a model for NoSQL Workbench, with sample items and facets", workbench),
}


def generate(design: Design, targets: Iterable[str]) -> dict[str, str]:
    """The files of some targets, or of `all`; a name that is none is refused before anything is made.

    Where a part of `all` does not suit the design, a file says which and why.
    """
    wanted = list(targets)
    refused = find_refusals(design, wanted)
    files: dict[str, str] = {}
    for name in choose_targets(wanted):
        if name not in refused:
            files |= TARGETS[name].files(design)
    if refused:
        reasons = (f"- {name}: {inline(reason)}.\n" for name, reason in refused.items())
        files[_LEFT_OUT] = "".join([_LEFT_OUT_HEAD, *reasons])
    return dict(sorted(files.items()))


def find_refusals(design: Design, targets: Iterable[str]) -> dict[str, str]:
    """By target of `all` that this design cannot be made into: the reason. What is asked for by name is an error."""
    wanted = list(targets)
    reasons = {name: TARGETS[name].refuses(design) for name in choose_targets(wanted)}
    found = {name: reason for name, reason in reasons.items() if reason is not None}
    for name, reason in found.items():
        if name in wanted:
            raise DesignError(f"{name}: {reason}.")
    return found


def choose_targets(targets: Iterable[str]) -> list[str]:
    """The names in the order of the table, with those that `all` stands for."""
    wanted = list(targets)
    for name in wanted:
        if name != ALL and name not in TARGETS:
            known = ", ".join([*TARGETS, ALL])
            raise DesignError(f'there is no target "{name}".{nearest(name, list(TARGETS))} There are: {known}.')
    return [name for name, each in TARGETS.items() if name in wanted or (ALL in wanted and not each.optional)]
