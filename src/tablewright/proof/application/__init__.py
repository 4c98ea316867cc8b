"""The application that a spec describes, over dictionaries: it knows neither keys, nor tables, nor any design."""
