"""The tower's side of the talk. Runs under CircuitPython and CPython alike, so it imports nothing.

Times are in milliseconds and come from outside. Lines to send are fetched with `due`; bytes from the host go
into `receive`. A throw is sent again, with the same number, until the host says OK: three times, a second apart.
One that answers an ARM is kept beyond that and sent again when the host asks who is there: a plug that was out for a
while costs no throw.
"""

AGAIN_MS = 1000
SENDS = 4  # once, and three times again
WAITING_LIMIT = 8
LINE_LIMIT = 80


def crc8(data: bytes) -> int:
    """CRC-8 with polynomial 0x07 and start 0; 123456789 gives F4."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ 0x07 if crc & 0x80 else crc << 1) & 0xFF
    return crc


def sealed(body: str) -> str:
    """The whole line for a body, without its end."""
    line = "CD1 " + body
    return f"{line} *{crc8(line.encode()):02X}"


class Waiting:
    """A line that the host has not acknowledged yet."""

    def __init__(self, number: int, line: str, is_asked: bool) -> None:
        self.number = number
        self.line = line
        self.is_asked = is_asked
        self.again()

    def again(self) -> None:
        self.sends_left = SENDS
        self.due_ms = 0


class Protocol:
    """What the tower has to say. `dice` lists slots and dice, as (("w", "d6"), ("r", "d6")).

    ValueError when they are too many for a line; a greeting that fits leaves room for every throw.
    """

    def __init__(self, tower_id: str, boot: str, dice: "tuple[tuple[str, str], ...]", firmware: str = "1.0") -> None:
        self.armed = False
        listed = ",".join([f"{slot}:{die}" for slot, die in dice])
        self._hello = f"hello id={tower_id} boot={boot} fw={firmware} dice={listed}"
        if len(sealed(self._hello)) > LINE_LIMIT:
            raise ValueError("The dice are too many for one line; give them shorter names or use two towers.")
        self._dice = dict(dice)
        self._next = 1
        self._asked = -1  # the number of the last ARM; none in this boot
        self._waiting: list[Waiting] = []
        self._once = [sealed(self._hello)]
        self._heard = b""

    def throw(self, faces: "dict[str, int]", settle_ms: int) -> int:
        """Dice came to rest; returns the number of the throw."""
        dice = ",".join([f"{slot}={self._dice[slot]}:{faces[slot]}" for slot in faces])
        number = self._keep(f"{dice} t={settle_ms}")
        self.armed = False
        return number

    def cocked(self, slot: str) -> int:
        """A die lies so that it cannot be read: it is still asked for."""
        return self._keep("cocked " + slot)

    def moving(self) -> None:
        """Something fell in. Said once: it is stale a second later."""
        self._once.append(sealed(f"{self._next} moving"))

    def receive(self, data: bytes) -> None:
        """Bytes from the host, in any pieces."""
        self._heard = (self._heard + data)[-LINE_LIMIT:]
        while b"\n" in self._heard:
            line, self._heard = self._heard.split(b"\n", 1)
            self._obey(line.strip())

    def due(self, now_ms: int) -> "list[str]":
        """The lines to send now."""
        lines, self._once = self._once, []
        for one in self._waiting:
            if one.sends_left > 0 and now_ms >= one.due_ms:
                lines.append(one.line)
                one.sends_left -= 1
                one.due_ms = now_ms + AGAIN_MS
        self._waiting = [one for one in self._waiting if one.sends_left > 0 or one.is_asked]
        return lines

    def _keep(self, body: str) -> int:
        number = self._next
        self._next += 1
        self._waiting = self._waiting[1 - WAITING_LIMIT :]
        self._waiting.append(Waiting(number, sealed(f"{number} {body}"), self.armed))
        return number

    def _obey(self, line: bytes) -> None:
        word, _, rest = line.partition(b" ")
        if word == b"?":
            self._once.append(sealed(self._hello))
            for one in self._waiting:
                one.again()
        elif word == b"ARM" and rest.isdigit():
            self._arm(int(rest))
        elif word == b"OK" and rest.isdigit():
            self._waiting = [one for one in self._waiting if one.number != int(rest)]

    def _arm(self, number: int) -> None:
        """The same number again is the same ask. With another, what was thrown before is not asked for, but for the
        first ARM of a boot: the host may have asked before the plug came back. 0 asks for nothing.
        """
        if number == self._asked:
            return
        is_first, self._asked = self._asked < 0, number
        self.armed = number > 0
        if not self.armed:
            for one in self._waiting:
                one.is_asked = False
            return
        self._waiting = [one for one in self._waiting if is_first and one.number >= number]
        for one in self._waiting:
            one.is_asked, self.armed = True, False
        self._next = max(self._next, min(number, 999_999_999))
