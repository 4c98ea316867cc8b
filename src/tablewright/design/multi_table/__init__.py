"""Several tables as one design: what each table says for itself, put together for the whole."""
