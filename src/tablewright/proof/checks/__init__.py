"""What a proof tries: each check runs patterns on the engine and compares with the application."""
