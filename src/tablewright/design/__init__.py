"""A design as data, and everything that follows from a design alone."""
