"""Properties from elements: values by schema, and schemas by example.

Owns how a value is found (labels, tables, headings, shapes, running text, form), how sure it is,
what validators mean, how properties are suggested, and what of a language model's answers counts.
It refuses to know where elements come from, where values are kept, and how a model is reached: the
rules are deterministic and read nothing but their arguments, and need no model. No kind of document
is known here either, only words of general use and the look of things.

How a value is read:

1. A document is read once (`document`, `reading`, `segments`): labels with values, and short texts
   with what stands around them; `lines` are those in which an address or a form is set.
   `periods` knows which columns of a table stand for another period than the present one.
   `spans` marks what could be a value by its form: organisations, persons, places, addresses,
   codes, lengths of time, and so on; `naming` knows a body, a post or a person by their words.
2. Values in the running come from two sides. `extractors` know where a label puts a value; `wide`
   takes whatever has the wanted form, `wanted` says which form a property asks for. Where a label
   has nothing behind it, or words for nothing (`absence`), there is no value; numbers of pages,
   notes and lists are none (`references`). Dates without a year get one (`yearless`).
3. Equal values are one group (`groups`); `features` measures each: how the words around it speak
   of the property (`cues`, with `foreign_labels` for other languages), how near they come to it in
   meaning (`senses`, `sensing`, by `label_vectors`), whether a word makes it another value
   (`qualifiers`), where it stands, what it looks like, how it compares with the others.
4. Fitted trees (`forest`, `weights.npz`) turn a row of measures into odds, and networks
   (`comparing`) a row beside those of the other values. Other trees judge how likely the best of
   them is right, as there may be no value at all, and a calibration makes that the part of such
   values that are right (`weighing`).
5. `engine` gives the likeliest value that passes its validators, when it is at least `GIVEN`; what
   is less sure becomes an alternative, with its place. Of two values that cannot both be right
   (`contradictions`: an end before its start) the less sure one is taken back.

The weights are fitted by tests/bench/fit_properties.py on made documents of many kinds, and on real
ones where it is given a folder of them; it also measures kinds that were left out.

    date_order   the order of day and month that the documents of a collection share
    engine       the value of each property of a schema in one document
    suggestions  a schema from what recurs in documents
    validators   what a schema's validators mean, and which cannot be read
    windows      what of a document is shown to a model
    citing       a question for a model, and which of its values stand where it says
    agreement    the values of rules and model put together
    results      values and their evidence in the form of a partition result
"""
