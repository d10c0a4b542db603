"""The use cases of strategic plans, one file each: what happens between a transport and the ports."""
