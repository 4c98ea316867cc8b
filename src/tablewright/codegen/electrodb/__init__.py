"""The same service as ElectroDB entities in TypeScript, with one function for every access pattern."""
