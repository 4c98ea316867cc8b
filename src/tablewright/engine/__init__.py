"""A DynamoDB inside the package, on the standard library's sqlite3: in memory or in one file, in process or served."""

from tablewright.engine.engine import Engine

__all__ = ["Engine"]
