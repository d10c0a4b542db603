"""What the services need from the world, as promises; adapters keep them on AWS, tests/fakes.py in memory."""
