"""The `planloom` command: a client of the service over MCP, and the embedded AWS on which the service runs locally."""
