"""Versioned history: every version of an item, as an item of its own."""
