"""Properties from elements: values by schema, and schemas by example.

Owns how a value is found (labels, tables, headings, shapes, running text), how sure it is, what
validators mean, how properties are suggested, and what of a language model's answers counts. It
refuses to know where elements come from, where values are kept, and how a model is reached: the
rules are deterministic and read nothing but their arguments, and need no model.

    engine       the value of each property of a schema in one document, by rules
    suggestions  a schema from what recurs in documents
    validators   what a schema's validators mean, and which cannot be read
    windows      what of a document is shown to a model
    citing       a question for a model, and which of its values stand where it says
    agreement    the values of rules and model put together
    results      values and their evidence in the form of a partition result
"""
