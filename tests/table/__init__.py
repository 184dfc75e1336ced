"""From data to tables."""
