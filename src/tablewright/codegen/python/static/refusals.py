"""What DynamoDB refuses, in the application's terms; the rest is botocore's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class ConditionFailed(Exception):
    """An item is there already, is gone, or was changed. Nothing was written."""


class TransactionRefused(Exception):
    """A part of a transaction was refused, so that nothing of it was written."""

    def __init__(self, message: str, reasons: Iterable[str]) -> None:
        super().__init__(message)
        self.reasons = tuple(reasons)  # one for every part: `None`, or what was wrong


def is_used_token(error: Exception) -> bool:
    """Whether a token was used before, in a request that said something else."""
    response: dict[str, Any] = getattr(error, "response", {})
    code = response.get("Error", {}).get("Code")
    return bool(code == "IdempotentParameterMismatchException")


def translated(error: Exception) -> Exception:
    """The error to raise for one of botocore."""
    response: dict[str, Any] = getattr(error, "response", {})
    said = response.get("Error", {})
    if said.get("Code") == "ConditionalCheckFailedException":
        return ConditionFailed(said.get("Message", ""))
    if said.get("Code") == "TransactionCanceledException":
        reasons = [each.get("Code", "None") for each in response["CancellationReasons"]]
        return TransactionRefused(said.get("Message", ""), reasons)
    return error
