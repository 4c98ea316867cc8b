"""Amplify models: Amplify's own types accept them, and they hold what the design holds."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from tablewright.codegen.amplify import amplify
from tablewright.errors import DesignError
from tablewright.tasks import design
from tests.codegen.designs import NAMES, case
from tests.conftest import NODE_FOLDER, Node

if TYPE_CHECKING:
    from pathlib import Path

FILE = "amplify/data/resource.ts"
BACKEND = """declare module "@aws-amplify/backend" {
  export { a, type ClientSchema } from "@aws-amplify/data-schema";
  export function defineData(options: {
    schema: unknown;
    authorizationModes: { defaultAuthorizationMode: string };
  }): unknown;
}
"""
OPTIONS = {
    "compilerOptions": {
        "strict": True,
        "noEmit": True,
        "module": "NodeNext",
        "moduleResolution": "NodeNext",
        "target": "ES2022",
        "skipLibCheck": True,
        "types": [],
    },
    "include": ["*.ts"],
}
SPEC = """
name: club
entities:
  Member:
    id: [memberId]
    attributes:
      memberId: string
      email: string
      level: {type: string, values: [basic, gold]}
      colour: {type: string, values: [light blue, red]}
    unique: [email]
  Visit: {id: [memberId, visitedAt], attributes: {memberId: string, visitedAt: timestamp, tags: set}}
relationships:
  - {from: Member, to: Visit, kind: one-to-many}
access_patterns:
  - {id: AP1, description: a member, kind: get, entity: Member, by: [memberId]}
  - {id: AP2, description: visits of a member, kind: query, entity: Visit, by: [memberId], sort: visitedAt desc}
  - {id: AP3, description: members of a level, kind: query, entity: Member, by: [level]}
"""


def test_types_of_amplify_accept_every_application(tmp_path: Path, node: Node) -> None:
    assert node
    for name in NAMES:
        (tmp_path / f"{name}.ts").write_text(amplify(case(name))[FILE])
    (tmp_path / "backend.d.ts").write_text(BACKEND)
    (tmp_path / "tsconfig.json").write_text(json.dumps(OPTIONS))
    (tmp_path / "node_modules").symlink_to(NODE_FOLDER / "node_modules")
    compiler = NODE_FOLDER / "node_modules" / ".bin" / "tsc"
    done = subprocess.run([compiler, "-p", "."], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_every_entity_is_a_model_with_its_id(name: str) -> None:
    text = amplify(case(name))[FILE]
    ids = {each.entity: list(each.id) for each in case(name).items if each.kind in ("entity", "embedded")}
    assert text.count(".model({") == len(ids)
    for each in ids.values():
        assert f".identifier({json.dumps(each)})" in text


def test_words_become_enumerations_and_relationships_have_two_ends() -> None:
    text = amplify(design(SPEC, quick=True))[FILE]
    assert 'MemberLevel: a.enum(["basic", "gold"])' in text
    assert 'level: a.ref("MemberLevel")' in text
    assert "colour: a.string()," in text  # a value with a space is no word of GraphQL
    assert 'visits: a.hasMany("Visit", ["memberId"])' in text
    assert 'member: a.belongsTo("Member", ["memberId"])' in text
    assert "tags: a.string().array()" in text
    assert re.search(r'index\("level"\).*queryField\("membersOfLevel"\)', text)
    assert "no sentinel items" in text


def test_a_name_that_graphql_has_not_is_refused() -> None:
    with pytest.raises(DesignError, match="no name in GraphQL"):
        amplify(design(SPEC.replace("tags: set", '"first tag": set'), quick=True))
