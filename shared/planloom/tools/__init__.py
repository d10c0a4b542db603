"""Tool servers: how their tools are called and their results read."""
