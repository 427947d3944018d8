"""Words on a page -> blocks in reading order with labels.

Owns the rules of layout: lines, columns, paragraphs, headings, lists, captions, running headers and
footers. Refuses to know where the words come from (PDF or OCR) and what the result is used for.
"""
