"""Several operations at once: transactions, batches, streams of writes and gets, deleting whatever a query finds."""
