"""Where the items of a table lie and how its reads and writes find them: what cost, heat and review are made from."""
