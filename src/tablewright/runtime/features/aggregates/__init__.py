"""Aggregates: what the items of one entity add up to, kept in attributes of another."""
