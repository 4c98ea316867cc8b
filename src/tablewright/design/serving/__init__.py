"""How a key answers a read: what the key takes, what is left to a filter, how much is read."""
