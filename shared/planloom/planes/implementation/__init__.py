"""Implementation plans: validated JSON for coding agents."""
