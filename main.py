"""Start Kardan from a checkout: `python main.py` is the same as the installed command `kardan`."""

import sys

from kardan.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
