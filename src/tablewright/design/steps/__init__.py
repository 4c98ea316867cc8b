"""Steps of access patterns, compiled, and the flows that send them."""
