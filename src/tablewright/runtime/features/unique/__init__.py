"""Unique attributes: claims on values, the sentinels that hold them, looking them up and repairing them."""
