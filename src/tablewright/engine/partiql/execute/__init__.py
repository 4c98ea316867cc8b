"""Statements run: as queries, scans and writes of single items, in batches and in transactions."""
