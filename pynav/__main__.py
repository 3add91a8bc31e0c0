"""``python -m pynav``: tools for a person with a map. ``evaluate MAP SCEN`` and ``simulate``, each with ``--help``."""

import argparse
import sys

from pynav import evaluation, headless


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and run the tool."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["simulate"]:
        return headless.main(given[1:])
    parser = argparse.ArgumentParser(prog="python -m pynav", description="Tools for a person with a map.")
    tools = parser.add_subparsers(dest="tool", required=True, metavar="TOOL")
    evaluation.add_arguments(tools.add_parser("evaluate", help="walk the routes of a scenario and compare their lengths"))
    tools.add_parser("simulate", help="run a horde without an engine", add_help=False)
    return evaluation.main(parser.parse_args(given))


if __name__ == "__main__":
    sys.exit(main())
