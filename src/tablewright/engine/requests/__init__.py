"""The shape of requests: every parameter checked as the service's front door does, before anything is looked up."""

from __future__ import annotations

from typing import Any


def check_request(action: str, params: dict[str, Any]) -> None:
    """Refuse a request whose parameters cannot be right, with all that is wrong in one message."""
