"""The access patterns as AppSync resolvers in JavaScript (APPSYNC_JS), with a GraphQL schema."""
