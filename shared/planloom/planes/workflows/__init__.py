"""Workflows: agents and people carry out one plan, and each node of it has a contract."""
