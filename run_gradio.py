"""The page: config.ini → settings → app → page. `leavebot serve` does the same."""

import sys

from module.cli import main

if __name__ == "__main__":
    sys.argv[1:1] = ["serve"]
    main()
