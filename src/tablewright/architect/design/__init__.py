"""A choice made physical: names, key templates, requests, and the whole design as data."""
