"""Blinks the faces on one LED, so that a tower is of use without a host. Times in milliseconds."""

BLINK_MS = 300
BETWEEN_DICE_MS = 1200


class Blinker:
    """One blink for each pip, a pause between dice."""

    def __init__(self) -> None:
        self._spans: list[tuple[int, int]] = []

    def show(self, faces: "list[int]", now_ms: int) -> None:
        self._spans = []
        at = now_ms
        for face in faces:
            for _ in range(face):
                self._spans.append((at, at + BLINK_MS))
                at += 2 * BLINK_MS
            at += BETWEEN_DICE_MS

    def is_on(self, now_ms: int) -> bool:
        return any(begin <= now_ms < end for begin, end in self._spans)
