"""Typed classes from a service that is data: ElectroDB's schemas, or our own form."""
