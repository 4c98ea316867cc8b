"""`python -m tests.report.html.screenshot`: the picture of a design document that the README shows."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.conftest import NODE_FOLDER
from tests.report.html.conftest import BROWSERS, missing_browser
from tests.report.html.pages import html_page, page_design

PICTURE = Path(__file__).parents[3] / "docs" / "images" / "design-document.png"
SCRIPT = "document_screenshot.cjs"


def main() -> None:
    reason = missing_browser()
    if reason is not None:
        sys.exit(f"No picture without a browser: {reason}.")
    executable = next(found for each in BROWSERS if (found := shutil.which(each)))
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "design.html"
        page.write_text(html_page(page_design("task-management")), "utf-8")
        given = {"executable": executable, "page": str(page), "picture": str(PICTURE)}
        subprocess.run(["node", SCRIPT], cwd=NODE_FOLDER, input=json.dumps(given), text=True, check=True)
    print(f"written: {PICTURE}")


if __name__ == "__main__":
    main()
