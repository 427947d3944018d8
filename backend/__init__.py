"""The bundled backend: the HTTP service of DocSets, search, properties, tasks and query plans.

Packages from the ground up: `settings`; `store`, `tasks` and `inference` keep things; `partition`,
`extraction` and `search` read them; `docsets` and `plans` hold the rules; `api` speaks HTTP; `main`
is the process. The wire types that it shares with its clients are `workbench.contract`.
"""
