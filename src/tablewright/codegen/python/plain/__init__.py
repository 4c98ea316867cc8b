"""Python on plain boto3, without Tablewright."""
