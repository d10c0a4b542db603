"""The use cases, one file each: what happens between a door and the ports."""
