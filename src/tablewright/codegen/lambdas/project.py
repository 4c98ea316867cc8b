"""The functions, in Python and TypeScript, with a template that runs either and a page that says why it is there."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import TYPE_CHECKING, Any

from tablewright.codegen.infrastructure.cloudformation import yaml_text
from tablewright.codegen.infrastructure.resources import prose
from tablewright.codegen.lambdas.model import model_of, python_model, typescript_model
from tablewright.codegen.names import pascal, physical_name
from tablewright.design.serving.trailing import usual_delay
from tablewright.design.tables import expiring
from tablewright.errors import DesignError
from tablewright.report.markdown import inline, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.codegen.lambdas.model import StreamModel
    from tablewright.design.model import Design

FOLDER = "lambda"
Json = dict[str, Any]
_RUNTIMES: dict[str, Json] = {
    "python": {"Runtime": "python3.13", "Handler": "handler.handler"},
    "typescript": {"Runtime": "nodejs22.x", "Handler": "dist/handler.handler"},
}
_ARN = "ARN of the table's stream, an output of the table's own stack."
_ACTIONS = ("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "ConditionCheckItem")
_NOTHING = (
    "nothing has to follow the stream: no relationship says cascade: true, no entity that expires has anything"
    " written along with it, and no total, list or copy is kept by it"
)


def refuses(design: Design) -> str | None:
    """Why there is no function for a design."""
    try:
        return None if model_of(design) is not None else _NOTHING
    except DesignError as error:
        return error.message


def lambdas(design: Design) -> dict[str, str]:
    found = model_of(design)
    if found is None:
        return {}
    files = {
        "README.md": _readme(design, found),
        **{f"{language}/template.yaml": yaml_text(_template(design, found, language)) for language in _RUNTIMES},
        "python/handler.py": _static("handler.py.txt"),
        "python/totals.py": _static("totals.py.txt"),
        "python/tops.py": _static("tops.py.txt"),
        "python/copies.py": _static("copies.py.txt"),
        "python/keys.py": _static("keys.py.txt"),
        "python/model.py": python_model(found),
        "typescript/handler.ts": _static("handler.ts"),
        "typescript/totals.ts": _static("totals.ts"),
        "typescript/tops.ts": _static("tops.ts"),
        "typescript/copies.ts": _static("copies.ts"),
        "typescript/keys.ts": _static("keys.ts"),
        "typescript/model.ts": typescript_model(found),
        "typescript/encoding.ts": _encoding(found.style),
        "typescript/package.json": json.dumps(_package(design), indent=2) + "\n",
        "typescript/tsconfig.json": json.dumps(_CONFIG, indent=2) + "\n",
    }
    return {f"{FOLDER}/{name}": text for name, text in files.items()}


_CONFIG = {
    "compilerOptions": {
        "target": "ES2022",
        "lib": ["ES2022"],
        "module": "NodeNext",
        "moduleResolution": "NodeNext",
        "strict": True,
        "noUncheckedIndexedAccess": True,
        "noUnusedLocals": True,
        "outDir": "dist",
        "rootDir": ".",
        "skipLibCheck": True,
        "types": ["node"],
    },
    "include": ["*.ts"],
}


def _static(name: str) -> str:
    return (resources.files("tablewright.codegen.lambdas") / "static" / name).read_text("utf-8")


def _encoding(style: str) -> str:
    return (resources.files("tablewright.codegen.typescript") / "static" / f"encoding.{style}.ts").read_text("utf-8")


def _package(design: Design) -> dict[str, object]:
    return {
        "name": f"{re.sub(r'[^a-z0-9-]', '-', physical_name(design.name).lower())}-stream-handler",
        "version": "0.1.0",
        "private": True,
        "type": "module",
        "scripts": {"build": "tsc"},
        "dependencies": {
            "@aws-sdk/client-dynamodb": "^3.700.0",
            "@aws-sdk/lib-dynamodb": "^3.700.0",
            "@aws-sdk/util-dynamodb": "^3.700.0",
        },
        "devDependencies": {"@types/node": "^22.0.0", "typescript": "^5.6.0"},
    }


# ---- what deploys it ------------------------------------------------------------------------------------------------


def _template(design: Design, found: StreamModel, language: str) -> Json:
    about = f"{prose(design.title or design.name)}: follows the table's stream"
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Transform": "AWS::Serverless-2016-10-31",
        "Description": about[:1024],
        "Parameters": {each: {"Type": "String", "Description": _ARN} for each in _streams(design, found).values()},
        "Resources": {
            "FailedChanges": {
                "Type": "AWS::SQS::Queue",
                "Properties": {"MessageRetentionPeriod": 1209600, "SqsManagedSseEnabled": True},
            },
            "StreamHandler": {"Type": "AWS::Serverless::Function", "Properties": _function(design, found, language)},
        },
    }


def _streams(design: Design, found: StreamModel) -> dict[str, str]:
    """By table that something is followed of: the parameter that names its stream."""
    tables = [each.name for each in design.tables if each.stream is not None and any(_filters(found, each.name))]
    return {name: "StreamArn" if len(tables) == 1 else f"{pascal(name)}StreamArn" for name in tables}


def _function(design: Design, found: StreamModel, language: str) -> Json:
    names = {each.name: physical_name(each.name) for each in design.tables}
    return {
        **_RUNTIMES[language],
        "CodeUri": "./",
        "Architectures": ["arm64"],
        "MemorySize": 256,
        "Timeout": 300,
        "Environment": {
            "Variables": {"TABLE_" + re.sub(r"\W", "_", each).upper(): name for each, name in names.items()}
        },
        "Policies": [{"Version": "2012-10-17", "Statement": [_statement(each) for each in names.values()]}],
        "Events": {
            f"{pascal(table)}Changes": {"Type": "DynamoDB", "Properties": _source(found, table, stream)}
            for table, stream in _streams(design, found).items()
        },
    }


def _statement(name: str) -> Json:
    arn = f"arn:${{AWS::Partition}}:dynamodb:${{AWS::Region}}:${{AWS::AccountId}}:table/{name}"
    return {
        "Effect": "Allow",
        "Action": [f"dynamodb:{each}" for each in _ACTIONS],
        "Resource": [{"Fn::Sub": arn}, {"Fn::Sub": f"{arn}/index/*"}],
    }


def _source(found: StreamModel, table: str, stream: str) -> Json:
    """Only what has something to follow; order and retries as the handler expects them."""
    return {
        "Stream": {"Ref": stream},
        "StartingPosition": "TRIM_HORIZON",
        "BatchSize": 1000 if _keeps_totals(found) or _keeps_lists(found) else 100,
        "MaximumBatchingWindowInSeconds": found.window_seconds,
        "BisectBatchOnFunctionError": True,
        "MaximumRetryAttempts": 20,
        "MaximumRecordAgeInSeconds": 86400,
        "FunctionResponseTypes": ["ReportBatchItemFailures"],
        "FilterCriteria": {"Filters": [{"Pattern": json.dumps(each)} for each in _filters(found, table)]},
        "DestinationConfig": {"OnFailure": {"Type": "SQS", "Destination": {"Fn::GetAtt": ["FailedChanges", "Arn"]}}},
    }


def _keeps_totals(found: StreamModel) -> bool:
    return any(kind["trailing"] for kind in found.kinds.values())


def _keeps_lists(found: StreamModel) -> bool:
    return any(kind["tops"] for kind in found.kinds.values())


def _filters(found: StreamModel, table: str) -> Iterator[Json]:
    """Deletes of what something goes with or is counted; everything else of what is counted."""
    own = {label: kind for label, kind in found.kinds.items() if kind["table"] == table}
    going = [label for label, kind in own.items() if kind["children"] or kind["companions"] or kind["trailing"]]
    counted = [label for label, kind in own.items() if kind["trailing"] or kind["tops"]]
    if going:
        yield {"eventName": ["REMOVE"], "dynamodb": {"OldImage": {found.type_field: {"S": going}}}}
    if counted:
        yield {"eventName": ["INSERT", "MODIFY"], "dynamodb": {"NewImage": {found.type_field: {"S": counted}}}}
    copied = [label for label, kind in own.items() if kind["copies"]]
    if copied:
        yield {"eventName": ["MODIFY"], "dynamodb": {"NewImage": {found.type_field: {"S": copied}}}}


# ---- the page -------------------------------------------------------------------------------------------------------


def _regions_note(design: Design, found: StreamModel) -> list[str]:
    """Every replica has a stream with all changes; that an item expired is told in the region alone where it did."""
    if not design.cost.regions:
        return []
    expires = any(each.ttl_attribute for each in design.tables)
    if expires and any(kind["companions"] for kind in found.kinds.values()):
        return [
            "- Deploy it in every region of the table: that an item expired stands in the stream of one region alone.",
            "  Deletes are followed in all of them, which does no harm.",
        ]
    home = design.cost.regions[0].region
    return [f"- Deploy it in {home} alone: the stream there has the changes of all regions."]


def _readme(design: Design, found: StreamModel) -> str:
    return "\n".join(
        [
            f"# Stream handler of {inline(design.title or design.name)}",
            "",
            "A function reads the table's stream, because the design asks for it:",
            "",
            *(f"- {paragraph(each)}" for each in found.reasons),
            *(f"- Not followed: {inline(each)}" for each in found.left),
            "",
            "`python/` and `typescript/` do the same: deploy one of them with its `template.yaml` (AWS SAM). For",
            "TypeScript run `npm install && npm run build` first.",
            "",
            "- Records come in the order of their items. The first that fails is reported (`batchItemFailures`) and",
            "  comes again with all behind it; what was done before is not done twice.",
            *_total_lines(found),
            *_list_lines(found),
            *_copy_lines(found),
            *_child_lines(found),
            "- A record that fails 20 times, or is a day old, goes to the queue `FailedChanges`; look there.",
            *_regions_note(design, found),
            *_expiry_lines(design),
            "",
        ]
    )


def _total_lines(found: StreamModel) -> list[str]:
    if not _keeps_totals(found):
        return []
    return [
        f"- Totals are up to about {usual_delay(found.window_seconds)} seconds behind: the changes of so many are",
        "  collected, and those of one total are one write. While the function fails they are further behind: watch",
        "  its `IteratorAge`.",
        "- What a record adds is written together with a marker item of it, which is in the way when the record comes",
        "  again, and expires itself after two days.",
        "- Deploy the function with the table. What was in the table before has to be counted once, and so has what",
        "  went to the queue: its changes are missing in the totals.",
    ]


def _list_lines(found: StreamModel) -> list[str]:
    if not _keeps_lists(found):
        return []
    return [
        f"- Lists are up to about {usual_delay(found.window_seconds)} seconds behind, and further while the function",
        "  fails. Each is read once for all changes of a batch, and written if one of its places changes.",
        "- A record that comes again finds a list that has it or something better, and changes nothing: nothing that",
        "  is listed gets worse or is deleted, by the writes that the design has. What deletes items otherwise, or",
        "  makes them worse, leaves them in their lists.",
        "- Deploy the function with the table. Of what was there before, a list has what is written again.",
    ]


def _copy_lines(found: StreamModel) -> list[str]:
    if not any(kind["copies"] for kind in found.kinds.values()):
        return []
    return [
        f"- Copies are up to about {usual_delay(found.window_seconds)} seconds behind, and further while the function",
        "  fails: watch its `IteratorAge`. To set one again does no harm; an item that is gone, or names another by",
        "  now, is left alone. What went to the queue has to be set by hand.",
    ]


def _child_lines(found: StreamModel) -> list[str]:
    if not any(kind["children"] for kind in found.kinds.values()):
        return []
    return [
        "- Children are deleted page by page. When time runs out, the record is reported and goes on where it was.",
        "- An item that was put again before its delete arrives keeps its children.",
    ]


def _expiry_lines(design: Design) -> list[str]:
    if not expiring(design.items):
        return []
    return [
        "- An expired item is recognised by the signature of `dynamodb.amazonaws.com`; what it added to a total is",
        "  taken away together with a marker item, which expires itself after two days.",
    ]
