"""Check a finished plan, one check per file; :mod:`planloom.planes.strategic.quality.checks` runs them all."""
