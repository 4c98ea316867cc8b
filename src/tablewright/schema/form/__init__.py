"""Our own written form of a schema, as one table of fields.

`kinds` says how a value of each kind is read, written and described in JSON Schema; `fields` lists the fields of
every part of a service with their kinds. Loading, dumping and the published JSON Schema all follow that list.
"""
