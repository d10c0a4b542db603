"""Notifications: events of an account, sent to its webhooks, signed and retried."""
