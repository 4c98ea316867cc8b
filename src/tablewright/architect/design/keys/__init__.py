"""How a key is written: which views share a partition, and the templates of the two key styles."""
