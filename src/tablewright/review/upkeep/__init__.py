"""What keeps data right: relationships, copies, uniqueness, retries, concurrent writers, deletes that reach further."""
