"""Requests as values, and the flows that send them."""
