"""What is kept and how: the SQLite file, tables as values, keys as bytes, items in rows with their index entries."""
