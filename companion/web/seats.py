"""Seats: a QR for each, handing one over, and one kiosk that goes from hand to hand under a cover."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from companion.game.errors import NotYours, UsageError
from companion.game.table import HOST, Table
from companion.game.tables import seat_key
from companion.web.screens import Row, Screens, form_of, to
from companion.web.words import SAYS


class Seats(Screens):
    """Who sits where; what is hidden is shown only after a touch of the one it belongs to."""

    def rows(self) -> list[Row]:
        return [
            ("/e/{table}/seats", self.seats, "GET"),
            ("/e/{table}/hand", self.hand, "GET"),
            ("/e/{table}/hand", self.handed, "POST"),
            ("/e/{table}/look", self.look, "POST"),
        ]

    async def seats(self, request: Request) -> Response:
        """A QR for each seat, and one that only watches; only where the host stands."""
        table, who, view = await self.seen(request)
        if not who.host:
            raise NotYours(SAYS.only_host_hands_out)
        base = self.link(table)
        rows = await self.parts.run(lambda: [(s.title, self._key_link(table, s.key)) for s in _seats(table)])
        return self.at_table(
            request, table, view, who, "seats.html", rows=rows if base else [], watch=base,
            solo=self._key_link(table, HOST) if request.query_params.get("solo") == "1" else "",
            wifi=self.parts.config.wifi_name,
        )  # fmt: skip

    async def hand(self, request: Request) -> Response:
        """The QR of the caller's own seat, for the one who takes it over."""
        table, who, view = await self.seen(request)
        if not who.seat or who.host:
            raise NotYours(SAYS.hand_over_there)
        return self.at_table(request, table, view, who, "hand.html", url=self._key_link(table, who.seat))

    def _key_link(self, table: Table, seat: str) -> str:
        base = self.link(table)
        return f"{base}?k={seat_key(table, seat)}" if base else ""

    async def handed(self, request: Request) -> Response:
        """This phone forgets its seat."""
        table = await self.api.table(request)
        response = to(f"/e/{table.key}")
        response.delete_cookie(f"seat_{table.key}")
        return response

    async def look(self, request: Request) -> Response:
        """A seat takes the kiosk in its hands, or gives it back under the cover."""
        table = await self.api.table(request)
        self.host_only(request, table, SAYS.only_kiosk_goes)
        seat = (await form_of(request)).get("seat", "")
        if seat and seat not in {s.key for s in _seats(table)}:
            raise UsageError(SAYS.no_seat)
        response = to(f"/e/{table.key}")
        if seat:
            response.set_cookie(f"as_{table.key}", seat, httponly=True, samesite="strict", max_age=600)
        else:
            response.delete_cookie(f"as_{table.key}")
        return response


def _seats(table: Table) -> tuple[Any, ...]:
    return table.game.seats(table.state)
