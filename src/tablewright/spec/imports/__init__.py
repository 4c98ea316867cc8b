"""Specs to start from, inferred from what exists: SQL schemas, OpenAPI files, ElectroDB schemas, entity classes."""
