"""The pages, run."""
