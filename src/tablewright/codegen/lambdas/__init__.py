"""Functions that follow the table's stream: children of what is deleted, and what belongs to what expires."""
