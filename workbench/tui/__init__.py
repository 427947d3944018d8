"""The terminal app: screens, widgets, keys, themes and stylesheets on Textual.

Owns how things look and which key does what. Refuses to keep any state that should outlive a
screen: that belongs to `workbench.sessions`. It loads no data frame package, and paints before
it connects.
"""
