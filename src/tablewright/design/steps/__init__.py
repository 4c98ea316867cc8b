"""Steps of access patterns as values, and the flows that send them."""
