"""A design's own red flags: each a small function in a table, with an id that stays."""
