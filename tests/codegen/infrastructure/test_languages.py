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


def template_in(folder: Path) -> dict[str, Any]:
    (template,) = folder.glob("*.template.json")
    return json.loads(template.read_text())


def same_as_cloudformation(template: dict[str, Any], design: Design) -> None:
    expected = template_of(infrastructure_of(design))
    assert tables_of(template) == tables_of(expected)
    assert alarms_of(template) == alarms_of(expected)
    assert policies_of(template) == policies_of(expected)


def python_stack(design: Design, folder: Path) -> dict[str, Any]:
    write(folder, cdk_python(infrastructure_of(design)))
    environment = {**os.environ, "CDK_OUTDIR": str(folder / "out")}
    environment["JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION"] = "1"
    command, project = [sys.executable, "app.py"], folder / "cdk-python"
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return template_in(folder / "out")


def typescript_stacks(designs: Mapping[str, Design], folder: Path, node: Node) -> dict[str, Any]:
    """Compiled and synthesised in one run each: the types of CDK and the library take longer than all stacks."""
    said: list[Any] = []
    for name, each in designs.items():
        files = cdk_typescript(infrastructure_of(each))
        write(folder / name, files)
        said.append(json.loads(files["cdk-typescript/tsconfig.json"])["compilerOptions"])
    assert all(each == said[0] for each in said)
    settings = {"compilerOptions": {**said[0], "noEmit": False, "outDir": "js", "rootDir": "."}}
    write(folder, {"tsconfig.json": json.dumps({**settings, "include": list(designs)}), "synthesise.js": SYNTHESISE})
    (folder / "node_modules").symlink_to(NODE_FOLDER / "node_modules")
    compiler = str(NODE_FOLDER / "node_modules" / ".bin" / "tsc")
    done = subprocess.run([compiler, "-p", "."], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    command = [node.executable, "synthesise.js", *designs]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {name: template_in(folder / "out" / name) for name in designs}


SYNTHESISE = """
for (const name of process.argv.slice(2)) {
  process.env.CDK_OUTDIR = `${__dirname}/out/${name}`;  // which an app reads when it is made, and writes to in the end
  require(`./js/${name}/cdk-typescript/bin/app.js`);
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_cdk_in_python_becomes_the_same_table(name: str, tmp_path: Path, node: Node) -> None:
    assert node  # CDK in Python runs on Node
    same_as_cloudformation(python_stack(design_named(name), tmp_path), design_named(name))


@pytest.mark.slow
def test_cdk_in_typescript_becomes_the_same_tables(tmp_path: Path, node: Node) -> None:
    designs = {name: design_named(name) for name in ALL}
    for name, made in typescript_stacks(designs, tmp_path, node).items():
        same_as_cloudformation(made, designs[name])


def test_python_stack_is_formatted(tmp_path: Path) -> None:
    write(tmp_path, cdk_python(infrastructure_of(with_everything())))
    ruff = shutil.which("ruff", path=str(sys.prefix) + "/bin") or "ruff"
    done = subprocess.run(
        [ruff, "format", "--isolated", "--check", tmp_path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
