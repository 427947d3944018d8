"""Steps from one released layout of the tables to the next, run by Alembic at every start."""
