"""The embedded engine against moto and dynalite: the same table, items and requests, in one interleaved run."""
