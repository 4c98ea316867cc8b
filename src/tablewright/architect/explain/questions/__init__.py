"""What is worth asking: assumptions and doubts, each tried with its other answers."""
