"""Life OS: many workspaces in one table, with things in things, relations between any two, and comments on anything."""
