"""Sessions of a web service: they end by themselves, live on while they are used, and can be revoked all at once."""
