"""What a person is doing, without any screen: uploads, tasks, searches and plans in the making.

Owns the state that the terminal app and the notebook widgets show alike, and the file that keeps it
(`sessions.sqlite` in the data folder), so that a queue or a half-edited plan outlives the program.
Refuses to know how anything is drawn, and speaks to the service only through `workbench.client`.
"""
