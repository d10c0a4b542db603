"""Approvals by people: who may decide what, by when, and how a decision is made of several responses."""
