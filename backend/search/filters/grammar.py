"""The grammar of `properties_filter`: the published form, and a superset of it.

Published: conditions in parentheses joined by `and`; each is a path, an operator and a quoted text
or bare number. Added: or, not, nested parentheses, in, is null, not like, single and double quotes,
names in backquotes.
"""

from typing import Final

from backend.language.words import IN_NAMES

# Keywords take precedence over names. The contextual lexer only offers terminals that may follow,
# so the bare word after `like` never competes with them. NAME stands for the characters of names.
_PATTERN: Final = r"""
?start: disjunction
?disjunction: conjunction (_OR conjunction)*    -> either
?conjunction: negation (_AND negation)*         -> both
?negation: _NOT negation                        -> negation
    | "(" disjunction ")"
    | condition
?condition: PATH OPERATOR literal               -> comparison
    | PATH _LIKE (STRING | WORD)                -> like
    | PATH _NOT _LIKE (STRING | WORD)           -> not_like
    | PATH _IN "(" literals ")"                 -> one_of
    | PATH _NOT _IN "(" literals ")"            -> not_one_of
    | PATH _IS _NULL                            -> is_null
    | PATH _IS _NOT _NULL                       -> is_not_null
literals: literal ("," literal)*
?literal: STRING                                -> text
    | NUMBER                                    -> number
    | TRUE                                      -> true
    | FALSE                                     -> false

_AND.2: /and(?![NAME])/i
_OR.2: /or(?![NAME])/i
_NOT.2: /not(?![NAME])/i
_LIKE.2: /like(?![NAME])/i
_IN.2: /in(?![NAME])/i
_IS.2: /is(?![NAME])/i
_NULL.2: /null(?![NAME])/i
TRUE.2: /true(?![NAME])/i
FALSE.2: /false(?![NAME])/i
OPERATOR: "=" | "==" | "!=" | "<>" | "<=" | "<" | ">=" | ">"
NUMBER: /[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?/i
STRING: /"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/s
WORD: /[^\s()"'`]+/
PATH: /([^\W\d][NAME]*|`[^`]+`)(\.([NAME]+|`[^`]+`|"(\\.|[^"\\])+"|'(\\.|[^'\\])+'))*/s

%ignore /\s+/
"""
GRAMMAR: Final = _PATTERN.replace("NAME", IN_NAMES)

EXPECTATIONS: Final = {
    "PATH": "a property name",
    "OPERATOR": "a comparison such as =",
    "STRING": "a quoted text",
    "NUMBER": "a number",
    "TRUE": "true",
    "FALSE": "false",
    "WORD": "a word",
    "LPAR": "(",
    "RPAR": ")",
    "COMMA": "a comma",
    "_AND": "and",
    "_OR": "or",
    "_NOT": "not",
    "_LIKE": "like",
    "_IN": "in",
    "_IS": "is",
    "_NULL": "null",
    "$END": "the end",
}
"""How error messages name each terminal."""
