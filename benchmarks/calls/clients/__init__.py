"""One module for each library. A client builds its requests anew for every call and reads whole answers."""
