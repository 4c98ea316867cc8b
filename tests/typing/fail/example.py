from __future__ import annotations

import json  # error[pyright]: mypy leaves unused imports to linters


def double(number: int) -> int:
    return 2 * number


double("2")  # error: a number is wanted
double(number="2", other=1)  # error: two mistakes
print(double(2))
