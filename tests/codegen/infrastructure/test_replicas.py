"""A table with replicas in four languages: the real tools accept each, and all say the same of every region."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from cfnlint.api import lint

from tablewright.codegen.infrastructure.cdk_python import cdk_python
from tablewright.codegen.infrastructure.cdk_typescript import cdk_typescript
from tablewright.codegen.infrastructure.cloudformation import cloudformation, template_of
from tablewright.codegen.infrastructure.resources import infrastructure_of
from tablewright.codegen.infrastructure.terraform import terraform
from tests.codegen.designs import with_everything, with_replicas
from tests.codegen.infrastructure.normal import alarms_of, policies_of, resources_of, tables_of
from tests.codegen.infrastructure.test_languages import parsed_terraform, write
from tests.conftest import NODE_FOLDER, Node

if TYPE_CHECKING:
    from pathlib import Path

REGIONS = ("eu-west-1", "us-east-1", "ap-northeast-1")
GIVEN = infrastructure_of(with_replicas())


def test_cloudformation_passes_its_linter() -> None:
    files = cloudformation(GIVEN)
    assert sorted(files) == [
        f"cloudformation/{name}.{form}" for name in ("replica-alarms", "template") for form in ("json", "yaml")
    ]
    assert not [fault for name, text in files.items() if name.endswith("yaml") for fault in lint(text)]


def test_every_region_has_the_settings_of_the_table() -> None:
    (alone,) = tables_of(template_of(infrastructure_of(with_everything()))).values()
    (replicas,) = tables_of(template_of(GIVEN)).values()
    assert tuple(replicas) == REGIONS
    for region, found in replicas.items():
        capacities = {each["capacity"]["read"] for each in (found, *found["gsis"].values())}
        assert capacities == {(2, 500, 70)}  # a third of 5, and all reads where others fail
        found["capacity"] = {**found["capacity"], "read": alone["capacity"]["read"]}
        for index in found["gsis"].values():
            index["capacity"] = {**index["capacity"], "read": alone["capacity"]["read"]}
        assert found == {**alone, "kinesis": region == REGIONS[0]}


def test_policies_reach_every_region() -> None:
    for _, _, indexes, regions, _ in policies_of(template_of(GIVEN)):
        assert len({*indexes}) == 1
        assert tuple(regions) == REGIONS[1:]  # that of the home region is the table's own


def test_alarms_of_a_replica_name_the_table_itself() -> None:
    found = json.loads(cloudformation(GIVEN)["cloudformation/replica-alarms.json"])
    assert alarms_of(found) == alarms_of(template_of(GIVEN))
    assert {each["Type"] for each in found["Resources"].values()} == {"AWS::CloudWatch::Alarm"}
    named = [each["Properties"]["Dimensions"] for each in found["Resources"].values()]
    assert [{"Name": "TableName", "Value": GIVEN.tables[0].name}] in named


# ---- Terraform ------------------------------------------------------------------------------------------------------


def test_terraform_makes_the_replicas_with_scaling_and_alarms() -> None:
    parsed = parsed_terraform(terraform(GIVEN))
    (table,) = resources_of(parsed, "aws_dynamodb_table").values()
    assert [each["region_name"] for each in table["replica"]] == list(REGIONS[1:])
    assert all(each["point_in_time_recovery"] and each["deletion_protection_enabled"] for each in table["replica"])
    assert (table["stream_enabled"], table["stream_view_type"]) == (True, "NEW_AND_OLD_IMAGES")
    assert parsed["provider"][0]["aws"]["region"] == REGIONS[0]
    for kind in (
        "aws_cloudwatch_metric_alarm",
        "aws_appautoscaling_target",
        "aws_appautoscaling_policy",
        "aws_dynamodb_contributor_insights",
    ):
        found = [each.get("region") for each in resources_of(parsed, kind).values()]
        assert len(found) == 3 * found.count(None) > 0
        assert {*found} == {None, *REGIONS[1:]}


@pytest.mark.skipif(shutil.which("terraform") is None, reason="there is no terraform here")
def test_terraform_is_formatted(tmp_path: Path) -> None:
    write(tmp_path, terraform(GIVEN))
    done = subprocess.run(
        ["terraform", "fmt", "-check", "-diff", tmp_path / "terraform"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


# ---- CDK ------------------------------------------------------------------------------------------------------------


def test_python_app_is_formatted(tmp_path: Path) -> None:
    write(tmp_path, cdk_python(GIVEN))
    ruff = shutil.which("ruff", path=str(sys.prefix) + "/bin") or "ruff"
    done = subprocess.run(
        [ruff, "format", "--isolated", "--check", tmp_path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def same_as_cloudformation(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made: list[dict[str, Any]] = [json.loads(each.read_text()) for each in (folder / "out").glob("*.template.json")]
    (stack,) = (each for each in made if tables_of(each))
    expected = template_of(GIVEN)
    assert tables_of(stack) == tables_of(expected)
    assert policies_of(stack) == policies_of(expected)
    assert [alarms_of(each) for each in made] == [alarms_of(expected)] * len(REGIONS)


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "CDK_OUTDIR": str(folder / "out"), "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION": "1"}


@pytest.mark.slow
def test_cdk_in_python_becomes_the_same_tables(tmp_path: Path, node: Node) -> None:
    assert node  # CDK in Python runs on Node
    write(tmp_path, cdk_python(GIVEN))
    same_as_cloudformation([sys.executable, "app.py"], tmp_path / "cdk-python")


@pytest.mark.slow
def test_cdk_in_typescript_becomes_the_same_tables(tmp_path: Path, node: Node) -> None:
    write(tmp_path, cdk_typescript(GIVEN))
    project = tmp_path / "cdk-typescript"
    (project / "node_modules").symlink_to(NODE_FOLDER / "node_modules")
    compiler = str(NODE_FOLDER / "node_modules" / ".bin" / "tsc")
    done = subprocess.run(
        [compiler, "--noEmit", "false", "--outDir", "js"], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    same_as_cloudformation([node.executable, "js/bin/app.js"], project)
