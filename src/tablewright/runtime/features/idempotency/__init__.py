"""Idempotent writes: the record of a request, and what counts as the same request."""
