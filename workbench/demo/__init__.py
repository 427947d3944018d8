"""`workbench demo`: sample documents of our own making, and the DocSet that is made of them.

Owns the invented collection and how it gets onto a server. Refuses to know screens: the command
opens the app on what was loaded.
"""
