"""When a throw is over and what lies there. Runs under CircuitPython and CPython alike; times in milliseconds."""

REST_MS = 600
GIVE_UP_MS = 5000
LINE_LIMIT = 80


class Settling:
    """A shock begins a throw; it is over when the reader has told nothing new for a while.

    The reader sends lines such as `w=4,r=2`, once or all the time, and `w=?` for a die that it cannot make out.
    """

    def __init__(self, dice: "tuple[tuple[str, str], ...]") -> None:
        self.took_ms = 0
        self._slots = [slot for slot, _ in dice]
        self._faces: dict[str, int] = {}
        self._heard = b""
        self._began = -1
        self._changed = 0

    def shock(self, now_ms: int) -> bool:
        """Something fell in; true when this begins a throw."""
        begins = self._began < 0
        if begins:
            self._began = now_ms
            self._faces = {}
        self._changed = now_ms
        return begins

    def receive(self, data: bytes, now_ms: int) -> None:
        """Bytes from the reader, in any pieces."""
        self._heard = (self._heard + data)[-LINE_LIMIT:]
        while b"\n" in self._heard:
            line, self._heard = self._heard.split(b"\n", 1)
            self._look(line.strip(), now_ms)

    def due(self, now_ms: int) -> "tuple[dict[str, int], list[str]]":
        """The faces and the dice that cannot be read, once when the throw is over; else nothing of either."""
        waited = now_ms - self._changed
        is_whole = len(self._faces) == len(self._slots)
        if self._began < 0 or waited < REST_MS or (not is_whole and waited < GIVE_UP_MS):
            return {}, []
        self.took_ms = min(self._changed - self._began, 999999)
        self._began = -1
        faces = {slot: face for slot, face in self._faces.items() if face}
        return faces, [slot for slot in self._slots if slot not in faces]

    def _look(self, line: bytes, now_ms: int) -> None:
        for part in line.split(b","):
            name, _, face = part.partition(b"=")
            if self._began < 0 or not (face.isdigit() or face == b"?"):
                continue
            slot, value = str(name, "ascii"), 0 if face == b"?" else int(face)
            if slot in self._slots and self._faces.get(slot) != value:
                self._faces[slot] = value
                self._changed = now_ms
