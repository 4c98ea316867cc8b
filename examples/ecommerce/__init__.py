"""An online shop with keys written by hand: customers, orders with their lines, stock, and a checkout that is safe."""
