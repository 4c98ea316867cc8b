"""The ways to serve a pattern and to store an entity, one module each; CONTRIBUTING has the recipe for another."""
