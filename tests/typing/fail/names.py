"""Names that the package does not have."""

from __future__ import annotations

import tablewright as tw

tw.Databse.embedded()  # error: misspelt class

try:
    print(tw.__version__)
except tw.ConditonFailed:  # error: misspelt error
    pass
