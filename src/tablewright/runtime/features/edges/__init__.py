"""Edges: items written twice, so that a relation can be followed from either end."""
