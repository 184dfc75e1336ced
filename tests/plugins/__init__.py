"""Other people's plugins: a good one, installed as a stranger would, and broken ones."""
