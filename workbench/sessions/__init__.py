"""Work in progress, independent of any screen: uploads, tasks, searches and plans.

Owns the state that the terminal app and the notebook widgets share, and the file that stores it
(`sessions.sqlite` in the data folder), so that a queue or a half-edited plan survives a restart. It
knows nothing of drawing, and talks to the service only through `workbench.client`.
"""
