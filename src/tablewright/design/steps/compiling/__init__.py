"""What steps are compiled from: expressions, items, reads and changes."""
