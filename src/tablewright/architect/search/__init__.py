"""Choosing: an integer program over the candidates, solved exactly, in stages."""
