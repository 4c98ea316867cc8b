"""The AppSync project: schema, resolvers, functions, what deploys them, and which patterns it cannot say."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING

from tablewright.codegen.appsync.resolvers import resolver_of
from tablewright.codegen.appsync.schema import schema_of
from tablewright.codegen.appsync.steps import hindrance
from tablewright.codegen.functions import about_in_short, camel_names
from tablewright.design.steps.compile import compile_design
from tablewright.report.markdown import inline, paragraph

if TYPE_CHECKING:
    from tablewright.design.model import Design, PatternDesign

FOLDER = "appsync"


def appsync(design: Design) -> dict[str, str]:
    names, compiled = camel_names(design), compile_design(design)
    refused = {each.id: why for each in design.patterns if (why := hindrance(compiled, each.id)) is not None}
    served = [each for each in design.patterns if each.id not in refused]
    files = {
        "schema.graphql": schema_of(design, served),
        "support.js": _static("support.js"),
        "encoding.js": _static(f"encoding.{design.key_style}.js"),
        "README.md": _readme(design, refused),
        "package.json": json.dumps(_PACKAGE, indent=2) + "\n",
    }
    manifest: list[dict[str, object]] = []
    for pattern in served:
        name = names[pattern.id]
        found = resolver_of(design, compiled, pattern)
        functions = {f"functions/{name}{at}.js": code for at, code in enumerate(found.functions, 1)}
        files |= {f"resolvers/{name}.js": found.code, **functions}
        manifest.append(_entry(pattern, name, list(functions)))
    files["resolvers.json"] = json.dumps(manifest, indent=2) + "\n"
    return {f"{FOLDER}/{name}": text for name, text in files.items()}


def _entry(pattern: PatternDesign, name: str, functions: list[str]) -> dict[str, object]:
    """What a deployment needs to know of one field."""
    return {
        "pattern": pattern.id,
        "type": "Mutation" if pattern.kind == "write" else "Query",
        "field": name,
        "code": f"resolvers/{name}.js",
        "functions": functions,
    }


_PACKAGE = {
    "private": True,
    "type": "module",
    "scripts": {
        "build": "esbuild resolvers/*.js functions/*.js --bundle --format=esm --target=es2020 --outdir=dist"
        " --external:@aws-appsync/utils",
        "lint": "eslint .",
    },
    "devDependencies": {"@aws-appsync/eslint-plugin": "^2.0.0", "@aws-appsync/utils": "^2.0.0", "esbuild": "^0.25.0"},
}


def _static(name: str) -> str:
    return (resources.files("tablewright.codegen.appsync") / "static" / name).read_text("utf-8")


def _readme(design: Design, refused: dict[str, str]) -> str:
    lines = [
        f"# AppSync resolvers of {inline(design.title or design.name)}",
        "",
        "`schema.graphql`, and for each of its fields a resolver in JavaScript (runtime APPSYNC_JS 1.0.0) on a data",
        "source of type AMAZON_DYNAMODB. `npm run build` bundles them; `resolvers.json` lists fields, code and the",
        "functions of pipelines for whatever deploys them. One query that asks several partitions is a pipeline with a",
        "function for each, whose response merges their answers; it has no `nextToken`.",
    ]
    if refused:
        abouts = {each.id: about_in_short(each) for each in design.patterns}
        lines += [
            "",
            "These access patterns have no resolver; call the generated TypeScript from a Lambda instead:",
            "",
        ]
        lines += [f"- {paragraph(f'{id_} ({abouts[id_]}): {why}')}" for id_, why in refused.items()]
    return "\n".join([*lines, ""])
