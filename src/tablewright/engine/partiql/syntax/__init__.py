"""A statement's text as a tree: tokens, clauses, and what the grammar refuses."""
