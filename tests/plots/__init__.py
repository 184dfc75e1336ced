"""Plots: the figures behind them, the pictures, the files."""
