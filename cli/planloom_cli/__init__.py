"""The `planloom` command: the embedded AWS, and a client of the service that speaks MCP as an agent would."""
