"""CPU time of calls, by client, against a server on this machine that always gives the same answers."""
