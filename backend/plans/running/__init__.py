"""Runs plans: sources, steps, traces, answers and stored runs."""
