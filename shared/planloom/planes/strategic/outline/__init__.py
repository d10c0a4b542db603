"""Outline a plan without a model: a spine from the facts of the goal and the table of its kind."""
