"""Made documents of many kinds and layouts, on which the fitted score of extraction is fitted."""
