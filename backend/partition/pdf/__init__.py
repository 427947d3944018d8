"""What PDFium knows about a page, in our terms.

Owns every call into PDFium: opening files, characters, drawing, pictures and rendering. Refuses to
know what a line, a table or a heading is: it answers `PageContent`.
"""
