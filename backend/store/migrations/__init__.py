"""Alembic migrations from one released layout of the tables to the next, run at every start."""
