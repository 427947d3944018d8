"""Pages as pictures and as characters: rendering, scaling boxes, drawing with half blocks.

Pure functions from bytes and boxes to pictures and grids of characters. Where the bytes come from
and where the picture goes is up to the caller.
"""
