"""Every refusal of Fast-Play WWII: a stable code, its rule and one sentence."""

from companion.umpire import Barred

_LINE = "Planes in the line of flight straight ahead, one to five hexes away, may be fired at"

_SENTENCES: dict[str, tuple[str, str]] = {
    "WRONG_NUMBER_OF_CARDS": ("Choose Cards", "The stack needs another number of cards."),
    "NOT_ENOUGH_COPIES": ("Choose Cards", "The deck of this plane does not hold that many of this card."),
    "LIGHTNING_NEEDS_STRAIGHT_OR_SLIP_FIRST": (
        "Special Cases",
        "A Lightning flies straight or sideslips on the card before each turn.",
    ),
    "SAME_HEX_NO_SHOOTING": ("Planes in the Same Hex", "The two planes share a hex, so neither can fire at the other."),
    "NO_ENEMY_IN_LINE_OF_FIRE": ("Resolve Shooting", f"{_LINE}; no enemy is there."),
    "MUST_FIRE_AT_NEAREST": ("Resolve Shooting", "A nearer enemy is in the line of fire; fire at that one."),
    "ALREADY_FIRED": ("Resolve Shooting", "This plane has fired after this card."),
    "ESCAPE_NEEDS_4_DAMAGE": ("Leaving the Board", "Only a plane with four or more damage points may escape."),
    "RETURN_NEXT_TURN": ("Returning to Combat", "This pilot comes back no earlier than the next turn."),
    "NOT_AN_EDGE_HEX": ("Returning to Combat", "Place the plane on an edge of the mat."),
    "NOT_A_WHOLE_HEX": ("Returning to Combat", "Place the plane on a whole hex."),
    "TOO_CLOSE_TO_ENEMY": ("Returning to Combat", "The nearest enemy has to be at least six hexes away."),
    "ENTRY_HEX_BEFORE_CARDS": ("Returning to Combat", "The cards are chosen; the entry hex is shown before that."),
    "DUEL_NEEDS_BOTH": ("Duels", "A duel is fought if both pilots agree."),
    "DUEL_NEEDS_SAME_ENTRY_TURN": ("Duels", "A duel needs two pilots who came onto the mat this turn."),
    "DUEL_ONLY_EACH_OTHER": ("Duels", "A duel is a matter of its two pilots: nobody fires into it or out of it."),
    "DUEL_WINNER_MUST_LEAVE_FIRST": ("Duels", "The winner of a duel has to fly off the mat first."),
    "WRONG_STEP": ("Sequence of Play", "This is not done in this step."),
}

CODES = frozenset(_SENTENCES)


def barred(code: str, text: str = "") -> Barred:
    """The refusal; `text` says it more closely where the case is known."""
    rule, sentence = _SENTENCES[code]
    return Barred(code, text or sentence, rule)
