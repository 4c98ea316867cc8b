"""A client that knows a design and nothing else: it writes and reads as `design.json` says, on any DynamoDB."""
