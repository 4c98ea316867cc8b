"""What a design costs: prices as data, capacity as arithmetic."""
