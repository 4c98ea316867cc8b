"""Every way that is worth considering: key shapes of entities, and plans that serve access patterns with them."""
