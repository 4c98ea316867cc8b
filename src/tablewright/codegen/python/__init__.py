"""Python: typed Tablewright code, and plain boto3; one function for every access pattern."""
