"""Questions that stand over a screen until they are answered, one per file."""
