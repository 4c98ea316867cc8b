"""`python -m tablewright` is the command `tablewright`."""

import sys

from tablewright.cli.main import main

sys.exit(main())
