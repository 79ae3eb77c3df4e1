"""Asks, answers, dice, modifiers, lines, changes and charts, and the three umpires."""

from companion.umpire.asks import (
    Answer,
    Ask,
    Choice,
    Notation,
    Number,
    OneOf,
    Option,
    SomeOf,
    Space,
    YesNo,
    options,
)
from companion.umpire.base import Context, Filled, TableSlot, Thrown, Umpire, option
from companion.umpire.charts import Cell, Chart, Row, row
from companion.umpire.dice import (
    D6,
    D10,
    D20,
    Dice,
    Die,
    Face,
    Slot,
    dice,
    dice_of,
    die,
    movement,
    named,
    register,
)
from companion.umpire.errors import Barred, CompanionError, Illegal, Missing, TooLarge, Unused, UsageError
from companion.umpire.lines import Change, DuplicateModifier, Line, Modifier, add
from companion.umpire.odds import Odds
from companion.umpire.pending import Chance, Done, Open, Pending, advance, odds, odds_by_option, run, scripted
from companion.umpire.procedure import Procedure, Question, procedure
from companion.umpire.readings import Need, at_least, at_most
from companion.umpire.recorded import Recorded
from companion.umpire.rolling import Rolling

__all__ = [
    "D6", "D10", "D20", "Answer", "Ask", "Barred", "Cell", "Chance", "Change", "Chart", "Choice", "CompanionError",
    "Context", "Dice", "Die", "Done", "DuplicateModifier", "Face", "Filled", "Illegal", "Line", "Missing",
    "Modifier", "Need", "Notation", "Number", "Odds", "OneOf", "Open", "Option", "Pending", "Procedure", "Question",
    "Recorded", "Rolling", "Row", "Slot", "SomeOf", "Space", "TableSlot", "Thrown", "TooLarge", "Umpire", "Unused",
    "UsageError", "YesNo", "add", "advance", "at_least", "at_most", "dice", "dice_of", "die", "movement", "named",
    "odds", "odds_by_option", "option", "options", "procedure", "register", "row", "run", "scripted",
]  # fmt: skip
