"""A task-management service: people in teams, tasks in projects, and everything of an organisation in one query."""
