"""Properties from elements: values by schema, and schemas by example.

Owns how a value is found (labels, tables, headings, shapes, running text), how sure it is, what
validators mean, and how properties are suggested. It refuses to know where elements come from,
where values are kept, and any language model: everything here is deterministic and reads nothing
but its arguments.

    engine       the value of each property of a schema in one document
    suggestions  a schema from labels and tables that recur
    validators   what a schema's validators mean, and which cannot be read
    results      values and their evidence in the form of a partition result
"""
