"""Values that design.json shows as text: templates, paths, conditions, buckets, totals and amounts."""
