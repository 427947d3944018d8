"""Golden test set: documents with known values, and questions with computed truths."""
