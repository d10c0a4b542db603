"""The pure core: plans, claims, artifacts, events, errors and their rules; no I/O, no clock."""
