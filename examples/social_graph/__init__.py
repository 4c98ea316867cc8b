"""A social network: followers on both sides, a feed that is filled when something is posted, likes by the thousand."""
