"""Access patterns spread over several partitions: shards and periods, filled in on writes, gathered on reads."""
