"""Numbers and lists as sentences have them."""

from __future__ import annotations

from tablewright.architect.wording import an, counted, joined, sentences
from tablewright.architect.wording import money as usd

__all__ = ["an", "counted", "joined", "sentences", "usd"]
