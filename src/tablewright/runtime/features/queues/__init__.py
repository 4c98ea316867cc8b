"""Sparse queues: items that are in an index while they need attention, claimed for a while."""
