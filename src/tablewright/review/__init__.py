"""What can be said of a design without asking the search again: rules, upkeep, operations, sources."""
