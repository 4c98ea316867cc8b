"""The request of every operation, one table."""

from __future__ import annotations

from tablewright.engine.requests.parts import *  # noqa: F403
