"""`python -m evaluator`."""

import gc
import sys

from evaluator.cli import main

if __name__ == "__main__":
    # Tables hold no reference cycles; looking for some in millions of cells takes a tenth of the time.
    gc.disable()
    sys.exit(main())
