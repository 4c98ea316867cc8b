"""A design, run on the embedded engine: everything compared with an application made from the spec alone."""
