"""How long the architect takes, and how that grows."""
