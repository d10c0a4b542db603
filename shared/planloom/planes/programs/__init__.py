"""Programs: expressions over what an account holds and over its tools."""
