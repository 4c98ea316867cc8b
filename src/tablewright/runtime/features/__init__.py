"""Patterns of single-table design as declared features: what writes along with an item, and what reads differently."""
