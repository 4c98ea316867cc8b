"""The advice of several tables of one design, put together."""
