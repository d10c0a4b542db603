"""Accounts: their API keys and credits, who may do what, shared links."""
