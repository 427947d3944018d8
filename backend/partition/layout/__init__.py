"""Words on a page -> blocks in reading order with labels.

Owns the rules of layout: lines, columns, paragraphs, headings, lists, captions, running headers and
footers. It knows neither the source of the words (PDF or OCR) nor the use of the result.
"""
