"""`workbench demo`: an invented sample collection, and loading it into a DocSet.

Independent of screens: the command opens the app on the DocSet.
"""
