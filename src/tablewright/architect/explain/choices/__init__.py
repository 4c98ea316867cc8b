"""What was chosen and what else could be: every number here comes from solving again."""
