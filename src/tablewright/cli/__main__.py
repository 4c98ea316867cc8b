"""`python -m tablewright.cli`."""

import sys

from tablewright.cli.main import main

sys.exit(main())
