"""Graphs: plans of tool calls that run. Open document.py first, then runner.py."""
