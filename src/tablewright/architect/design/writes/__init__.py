"""What a write pattern sends: its items and their copies, kept in step in one transaction."""
