"""Typed operations on a plan, and what each does to it. Knows no language but that of reports."""
