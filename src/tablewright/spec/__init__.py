"""What a user says about an application: entities, relationships, access patterns, volumes."""
