"""What contradicts itself in a spec, beyond names that nobody knows."""
