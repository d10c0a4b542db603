"""The official MCP conformance suite against the endpoint code that planloom serves its tools with."""
