"""Other forms of the same data: a spec rewritten before the search, and how the answers to the original come of it."""
