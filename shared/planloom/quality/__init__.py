"""Check a finished plan, one check a file; :mod:`planloom.quality.checks` runs them all."""
