"""The use cases of implementation plans, one file each."""
