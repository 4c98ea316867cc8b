"""Data in the proportions of a spec, and calls as its application would make them; nothing here knows designs."""
