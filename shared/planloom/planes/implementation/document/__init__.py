"""Implementation plans as documents: their schema, the rules beyond it, differences, drafts from other forms. Pure."""
