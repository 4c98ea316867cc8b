"""A design, run: synthetic data on the embedded engine, every answer compared with brute force."""
