"""Measurements that anyone can repeat: each prints what it measured, on what, and the ratio that matters."""
