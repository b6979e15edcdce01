"""`python -m review_app` is the `dataspace` command."""

import sys

from review_app.cli import main

sys.exit(main())
