"""The distribution, installed as a stranger would."""
