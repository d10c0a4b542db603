"""The spine: the one typed document, ids throughout, from which a plan is computed, criticised and written."""
