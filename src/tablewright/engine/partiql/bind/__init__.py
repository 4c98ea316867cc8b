"""What a tree means for its table: paths, values, conditions, updates, and the branches of a WHERE."""
