"""TypeScript on the AWS SDK v3: interfaces, keys, and one function for every access pattern."""
