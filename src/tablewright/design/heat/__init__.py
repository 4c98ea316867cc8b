"""How hot the hottest partition gets, and how many shards it takes to bear it."""
