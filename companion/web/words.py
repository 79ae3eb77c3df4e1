"""Every word of the pages in one place, so that a language is one more file like this."""

from __future__ import annotations


class _Words(dict[str, str]):
    def __getattr__(self, name: str) -> str:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


WORDS = _Words(
    product="Companion",
    live="live",
    not_live="not live",
    not_live_long="The line to the table is down. What you see may be old; it comes back by itself.",
    heard="…",
    table="Table",
    charts="Charts",
    log="Log",
    seats="Seats",
    paper="Paper",
    home="Home",
    tables="Tables",
    continue_="Continue",
    put_away="put away",
    new_game="New game",
    no_tables="No table yet. Begin a game below.",
    scan="Scan to see this table on your phone",
    no_address="No phone can reach this Pi yet: it has no Wi-Fi or network address. The kiosk works without one.",
    watching="You are watching. Scan a seat's QR at the kiosk to play.",
    waiting="Waiting for",
    throw="Throw",
    thrown="lies",
    by_hand="Tap the face that lies on the table",
    machine="Let the machine roll",
    tower="Throw the virtual tower",
    void="Void",
    use="Use it",
    cocked="cocked",
    undo="Undo",
    redo="Redo",
    next="Next",
    print_slip="Print slip",
    print_again="Print again",
    needs="needs",
    so_far="So far",
    chance="Chance",
    what_now="What can it do now?",
    nothing_now="Nothing can be done with this one now.",
    barred="not now",
    score="Score",
    changed="What changed",
    arithmetic="How it came about",
    dice="Dice",
    house="† house value: no rulebook prints it",
    void_slip="taken back",
    ruled="ruled by hand",
    aside="Not used",
    do="Do",
    out="out",
    back="Back",
    ok="OK",
    log_empty="Nothing has happened yet.",
    seat_help="Each player scans one. Whoever has the QR acts for that seat.",
    theme="Colours",
    dark="Dark",
    light="Light",
    sunlight="Sunlight",
    large="Large type",
    normal="Normal type",
    send="Send",
    choose_some="Choose",
    house_rules="House rules",
    chain="chain",
)
