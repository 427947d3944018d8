"""The bundled backend: the HTTP service of DocSets, search, properties, tasks and query plans.

Packages from the ground up: `contract` and `settings` know nobody; `store`, `tasks` and
`inference` keep things; `partition`, `extraction` and `search` read them; `docsets` and `plans`
hold the rules; `api` speaks HTTP; `main` is the process.
"""

__version__ = "0.1.0"
