"""Access patterns said with typed entities and their views, where these say the same as the design's steps."""
