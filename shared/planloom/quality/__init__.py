"""Check a finished draft over plain shapes, one check a file; :mod:`planloom.quality.checks` runs them all."""
