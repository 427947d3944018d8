"""The screens: seven with a number and those that they open, in one file each."""
