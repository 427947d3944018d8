"""Extraction of property values from elements by a schema, and schemas suggested from documents.

This package owns how a value is found (labels, tables, headings, shapes, running text, form), its
confidence, what validators mean, how properties are suggested, and which of a language model's
answers count. Where elements come from, where values are stored and how a model is reached are none
of its business: the rules are deterministic, depend only on their arguments and need no model. They
know no particular kind of document either, only general vocabulary and layout.

How a value is read:

1. The document is read once (`document`, `reading`, `segments`) into labels with values, and short
   texts with their surroundings; `lines` gives the lines in which an address or a form is set.
   `ticks` tells which options of a form are ticked.
   `periods` finds the table columns that cover another period than the current one. `spans` marks
   what could be a value by its form: organisations, persons, places, addresses, codes, durations
   and so on; `naming` recognises a body, a post or a person by its words.
2. Candidates come from two sources. `extractors` follow labels; `wide` collects everything of the
   right form, and `wanted` decides which form a property asks for; `runs` and `enumerations` tell
   what is listed in lines, tables and sentences. A label with nothing behind it,
   or with words such as "n/a" (`absence`), has no value; page, note and list numbers are never
   values (`references`). Dates without a year get one (`yearless`).
3. Equal values form one group (`groups`). `features` measures each group: how well the words around
   it match the property (`cues`, with `foreign_labels` for other languages), how close they are in
   meaning (`senses`, `sensing`, by `label_vectors`), whether a qualifier makes it a different value
   (`qualifiers`), its position, its form, and how it compares with the other candidates.
4. Fitted trees (`forest`, `weights.npz`) score each row of features alone, and networks
   (`comparing`) score it beside the other candidates. Since there may be no value at all, a second
   set of trees judges how likely the best ones are right, and a calibration turns that into a
   confidence: the share of such values that are right (`weighing`). Where that confidence is low,
   a network reads the document (`layouts`) with the properties in question behind it
   (`close_reading`), and another judge weighs its scores together with the first. Of a list it also
   tags which words begin an item and which belong to one (`tagged`). Where a property asks for who
   wrote the document (`sender_asked`) and no name is certain, `senders` weighs where the names
   stand.
5. `engine` returns the likeliest value that passes its validators if its confidence is at least
   `GIVEN`; less confident values become alternatives, with their places. Of two values that
   contradict each other (`contradictions`: an end before its start) the less confident one is
   withdrawn.

tests/bench/fit_properties.py fits the weights on generated documents of many kinds, and on a folder
of real ones if given; it also measures kinds that were left out of the fit. fit_value_reader.py
beside it fits the network and its judge.

    date_order   the order of day and month in the documents of a collection
    engine       the value of each property of a schema in one document
    suggestions  a schema from what recurs in documents
    validators   what a schema's validators mean, and which are unreadable
    windows      the parts of a document that a model sees
    citing       a question for a model, and a check of the places it cites
    agreement    merges the values of rules and model
    results      values and their evidence in the form of a partition result
"""
