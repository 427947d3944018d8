"""A page as seen by PDFium, in our types.

Owns every call into PDFium: opening files, characters, drawing, pictures and rendering. It knows
nothing of lines, tables or headings: it returns `PageContent`.
"""
