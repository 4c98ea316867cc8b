"""Specs to start from, inferred from models of tables that exist: NoSQL Workbench, and the AWS DynamoDB MCP server."""
