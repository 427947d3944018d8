"""Pages as pictures and as characters: rendering, scaling boxes, drawing with half blocks.

Owns how a page of an original file becomes a picture for a person. Pure functions from bytes and
boxes to pictures and grids of characters; refuses to know where the bytes come from and where
the picture goes.
"""
