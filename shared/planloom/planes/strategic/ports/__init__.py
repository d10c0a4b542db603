"""What strategic plans need from outside, as protocols: adapters keep them on AWS, tests/fakes.py in memory."""
