"""The ASGI app, and what is no plain call: event streams, byte ranges, shared links, MCP resources."""
