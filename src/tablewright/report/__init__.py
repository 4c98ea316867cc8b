"""A design for readers: blocks of text and tables, made from a `Design` alone, and shown as Markdown or plain text."""
