"""One file per format, each with `read(request) -> Document`.

Owns what is particular to a format. Refuses to know about chunking, output formats and labels that
need other formats' knowledge.
"""
