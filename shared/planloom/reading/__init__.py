"""Reading facts out of a prompt: regular expressions and small tables, no model, no network, no clock."""
