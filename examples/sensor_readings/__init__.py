"""Sensors that measure for years: a partition for each sensor and month, readings kept for 90 days."""
