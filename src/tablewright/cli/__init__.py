"""The command line: reads arguments, calls a function in `tasks`, and shows what it gives. No logic lives here."""
