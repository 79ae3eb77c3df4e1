"""What is wrong with this machine, for the page and the command line alike."""

from companion.doctor.bundle import bundle
from companion.doctor.checks import BUILT_IN, TRAPS, examine
from companion.doctor.facts import Facts
from companion.doctor.finding import Finding, Rank

__all__ = ["BUILT_IN", "TRAPS", "Facts", "Finding", "Rank", "bundle", "examine"]
