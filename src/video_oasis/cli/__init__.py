"""The command ``oasis``: parses what the user gives, prints what was found.

Every module here is one command, or what several share. They import what they need when they run,
so that ``oasis --help`` is quick.
"""

import sys


def main() -> None:
    """Run the command line; a mistake of the user's becomes one message and exit code 2."""
    from video_oasis.cli.app import app
    from video_oasis.errors import UserError

    try:
        app()
    except UserError as error:
        sys.stderr.write(f"oasis: {error}\n")
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output, such as head, has seen enough.
        sys.stderr.close()
        sys.exit(0)
