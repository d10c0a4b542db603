"""planloom: a goal goes in, a strategic plan comes out. Start reading at planloom.planes.strategic.stages.pipeline."""

__version__ = "0.1.0"
