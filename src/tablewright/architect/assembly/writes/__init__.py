"""The steps of writes."""
