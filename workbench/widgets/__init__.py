"""Notebook widgets: thin views over the sessions, one Python file and one plain .js file each.

Owns what is drawn in a browser and which state is shared with it. Refuses to know the terminal app,
HTTP and how anything is computed; loads nothing from outside the machine.
"""
