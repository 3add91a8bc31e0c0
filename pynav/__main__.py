"""``python -m pynav``: tools for a person with a map. ``evaluate``, ``simulate`` and ``draw``, each with ``--help``."""

import argparse
import sys
from typing import NoReturn

from pynav import drawing, evaluation, headless


class _Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        """Print the message and leave with exit code 2."""
        print(f"pynav: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and run the tool."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["simulate"]:
        return headless.main(given[1:])
    parser = _Parser(prog="python -m pynav", description="Tools for a person with a map.")
    tools = parser.add_subparsers(dest="tool", required=True, metavar="TOOL")
    evaluation.add_arguments(tools.add_parser("evaluate", help="walk the routes of a scenario and compare their lengths"))
    drawing.add_arguments(tools.add_parser("draw", help="draw the sectors, portals or flow of a map"))
    tools.add_parser("simulate", help="run a horde without an engine", add_help=False)
    options = parser.parse_args(given)
    return drawing.main(options) if options.tool == "draw" else evaluation.main(options)


if __name__ == "__main__":
    sys.exit(main())
