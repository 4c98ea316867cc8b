"""Capacity units of patterns: what lies where, what a write touches, what a read goes through."""
