"""Requests recorded from ElectroDB, replayed on the loaded style: `python -m tests.conformance.electrodb DIR ...`."""
