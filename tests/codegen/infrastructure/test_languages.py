"""One table, four languages of infrastructure: the real tools accept each, and all say the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import boto3
import hcl2
import pytest
import yaml
from cfnlint.api import lint
from moto import mock_aws

from tablewright.codegen.infrastructure.cdk_python import cdk_python
from tablewright.codegen.infrastructure.cdk_typescript import cdk_typescript
from tablewright.codegen.infrastructure.cloudformation import as_json, as_yaml, template_of
from tablewright.codegen.infrastructure.resources import infrastructure_of
from tablewright.codegen.infrastructure.terraform import terraform
from tests.codegen.designs import NAMES, case, with_everything
from tests.codegen.infrastructure.normal import (
    alarms_of,
    bare,
    from_terraform,
    policies_of,
    resources_of,
    tables_of,
)
from tests.conftest import NODE_FOLDER, Node

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tablewright.design.model import Design

EVERYTHING = "everything"
ALL = [*NAMES, EVERYTHING]
LINTED = ("chat-system", EVERYTHING)
"""In every run; the others where time does not matter."""


def design_named(name: str) -> Design:
    return with_everything() if name == EVERYTHING else case(name)


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


# ---- CloudFormation -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [pytest.param(each, marks=() if each in LINTED else pytest.mark.slow) for each in ALL])
def test_cloudformation_passes_its_linter(name: str) -> None:
    given = infrastructure_of(design_named(name))
    assert not lint(as_yaml(given))
    assert yaml.safe_load(as_yaml(given)) == json.loads(as_json(given))


@pytest.mark.filterwarnings("ignore:Tried to parse AWS.*CloudWatch")  # moto knows no alarms there, and goes on
@pytest.mark.parametrize("name", NAMES)
def test_cloudformation_makes_the_very_table(name: str) -> None:
    design = case(name)
    with mock_aws():
        cloud = boto3.client("cloudformation", region_name="us-east-1")
        cloud.create_stack(StackName="stack", TemplateBody=as_json(infrastructure_of(design)))
        made = boto3.client("dynamodb", region_name="us-east-1").describe_table(TableName=design.tables[0].name)[
            "Table"
        ]
    (table,) = design.tables
    assert [each["AttributeName"] for each in made["KeySchema"]] == [table.pk.name, table.sk.name]
    found = {each["IndexName"]: each for each in made.get("GlobalSecondaryIndexes", ())}
    assert sorted(found) == sorted(each.name for each in table.gsis)
    for index in table.gsis:
        names = [each["AttributeName"] for each in found[index.name]["KeySchema"]]
        assert names == [each.name for each in (*index.pk, *index.sk)]
        assert found[index.name]["Projection"]["ProjectionType"] == index.projection.type
    assert made["DeletionProtectionEnabled"]


# ---- Terraform ------------------------------------------------------------------------------------------------------


def parsed_terraform(files: Mapping[str, str]) -> dict[str, Any]:
    parsed: dict[str, Any] = {}
    for text in files.values():
        for kind, found in bare(hcl2.loads(text)).items():
            parsed.setdefault(kind, []).extend(found)
    return parsed


@pytest.mark.parametrize("name", ALL)
def test_terraform_says_what_cloudformation_says(name: str) -> None:
    given = infrastructure_of(design_named(name))
    parsed, template = parsed_terraform(terraform(given)), template_of(given)
    assert from_terraform(parsed) == tables_of(template)
    alarms = resources_of(parsed, "aws_cloudwatch_metric_alarm").values()
    said = {each["alarm_name"]: (each["metric_name"], each["threshold"]) for each in alarms}
    assert said == {key: (each["MetricName"], each["Threshold"]) for key, each in alarms_of(template).items()}
    assert len(resources_of(parsed, "aws_iam_policy")) == len(given.policies)


# ---- CDK ------------------------------------------------------------------------------------------------------------


def synthesised(command: list[str], folder: Path, output: Path) -> dict[str, Any]:
    environment = {**os.environ, "CDK_OUTDIR": str(output), "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (template,) = output.glob("*.template.json")
    return json.loads(template.read_text())


def same_as_cloudformation(template: dict[str, Any], design: Design) -> None:
    expected = template_of(infrastructure_of(design))
    assert tables_of(template) == tables_of(expected)
    assert alarms_of(template) == alarms_of(expected)
    assert policies_of(template) == policies_of(expected)


def python_stack(design: Design, folder: Path) -> dict[str, Any]:
    write(folder, cdk_python(infrastructure_of(design)))
    return synthesised([sys.executable, "app.py"], folder / "cdk-python", folder / "out")


def typescript_stack(design: Design, folder: Path, node: Node) -> dict[str, Any]:
    write(folder, cdk_typescript(infrastructure_of(design)))
    project = folder / "cdk-typescript"
    (project / "node_modules").symlink_to(NODE_FOLDER / "node_modules")
    compiler = str(NODE_FOLDER / "node_modules" / ".bin" / "tsc")
    options = ["--noEmit", "false", "--outDir", "js"]
    done = subprocess.run([compiler, *options], cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return synthesised([node.executable, "js/bin/app.js"], project, folder / "out")


@pytest.mark.slow
def test_cdk_in_python_becomes_the_same_table(tmp_path: Path, node: Node) -> None:
    assert node  # CDK in Python runs on Node
    same_as_cloudformation(python_stack(with_everything(), tmp_path), with_everything())


@pytest.mark.slow
def test_cdk_in_typescript_becomes_the_same_table(tmp_path: Path, node: Node) -> None:
    same_as_cloudformation(typescript_stack(with_everything(), tmp_path, node), with_everything())


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_cdk_of_every_application(name: str, tmp_path: Path, node: Node) -> None:
    for made in (python_stack(case(name), tmp_path / "py"), typescript_stack(case(name), tmp_path / "ts", node)):
        same_as_cloudformation(made, case(name))


def test_python_stack_is_formatted(tmp_path: Path) -> None:
    write(tmp_path, cdk_python(infrastructure_of(with_everything())))
    ruff = shutil.which("ruff", path=str(sys.prefix) + "/bin") or "ruff"
    done = subprocess.run(
        [ruff, "format", "--isolated", "--check", tmp_path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
