"""The functions, in Python and TypeScript, with a template that runs either and a page that says why it is there."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import TYPE_CHECKING

from tablewright.codegen.lambdas.model import model_of
from tablewright.codegen.lambdas.template import RUNTIMES, template_text
from tablewright.codegen.names import physical_name
from tablewright.codegen.python.literals import printed, text
from tablewright.codegen.typescript.literals import literal
from tablewright.errors import DesignError
from tablewright.report.markdown import inline, paragraph

if TYPE_CHECKING:
    from tablewright.codegen.lambdas.model import StreamModel
    from tablewright.design.model import Design

FOLDER = "lambda"
_NOTHING = (
    "nothing has to follow the stream: no relationship says cascade: true, and no entity that expires has anything"
    " written along with it"
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
        **{f"{language}/template.yaml": template_text(design, found, language) for language in RUNTIMES},
        "python/handler.py": _static("handler.py.txt"),
        "python/model.py": _python_model(found),
        "typescript/handler.ts": _static("handler.ts"),
        "typescript/model.ts": _typescript_model(found),
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


# ---- what the handlers know -----------------------------------------------------------------------------------------


def _python_model(found: StreamModel) -> str:
    return "\n".join(
        [
            '"""What the handler knows of the design: by what items say they are, what belongs to them."""',
            "",
            "from typing import Any",
            "",
            f"STYLE = {text(found.style)}",
            f"TYPE_FIELD = {text(found.type_field)}",
            f"TTL_ATTRIBUTE = {text(found.ttl_attribute)}",
            f"KINDS: dict[str, Any] = {printed(found.kinds, ahead=24)}",
            "",
        ]
    )


_TYPES = """\
/** A text, or the value of that name as keys hold it; one name alone is the value as it is. */
export type Part = string | { readonly name: string };

export interface Companion {
  readonly kind: string;
  readonly table: string;
  /** By key field: what it is made of, from the entity's attributes. */
  readonly fields: Readonly<Record<string, readonly Part[]>>;
  readonly id: readonly string[];
  readonly shards: number;
  readonly bucket: { readonly attribute: string; readonly length: number } | null;
  /** By attribute of a total: what it adds up, or nothing where it counts. */
  readonly totals: Readonly<Record<string, string>>;
  /** The attributes by which a sentinel names the item that it belongs to. */
  readonly owner: readonly string[];
}

export interface Child {
  readonly label: string;
  readonly table: string;
  readonly index: string;
  readonly partition: Readonly<Record<string, readonly Part[]>>;
  /** What the sort key begins with. */
  readonly sort: Readonly<Record<string, string>>;
  /** By attribute of the child: the parent's. */
  readonly references: Readonly<Record<string, string>>;
  readonly shards: number;
}

export interface Kind {
  readonly name: string;
  readonly table: string;
  readonly key: readonly string[];
  readonly companions: readonly Companion[];
  readonly children: readonly Child[];
}
"""


def _typescript_model(found: StreamModel) -> str:
    return "\n".join(
        [
            "/** What the handler knows of the design: by what items say they are, what belongs to them. */",
            "",
            _TYPES,
            f"export const typeField: string = {literal(found.type_field)};",
            f"export const ttlAttribute: string = {literal(found.ttl_attribute)};",
            f"export const kinds: Readonly<Record<string, Kind>> = {literal(found.kinds, 0, 56)};",
            "",
        ]
    )


# ---- the page -------------------------------------------------------------------------------------------------------


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
            "- Children are deleted page by page. When time runs out, the record is reported and goes on where it was.",
            "- An item that was put again before its delete arrives keeps its children.",
            "- A record that fails 20 times, or is a day old, goes to the queue `FailedChanges`; look there.",
            "- An expired item is recognised by the signature of `dynamodb.amazonaws.com`; what it added to a total is",
            "  taken away together with a marker item, which expires itself after two days.",
            "",
        ]
    )
