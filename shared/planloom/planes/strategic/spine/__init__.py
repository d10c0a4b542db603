"""The spine: the typed document of rows with ids from which a plan is computed, criticised and written."""
