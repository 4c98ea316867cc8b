from __future__ import annotations


def double(number: int) -> int:
    return 2 * number


print(double(2))
