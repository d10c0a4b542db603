"""Check a finished draft: ten checks over plain shapes, each a file; :mod:`planloom.quality.checks` runs them all."""
