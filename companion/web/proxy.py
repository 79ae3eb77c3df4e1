"""Behind a proxy: what a trusted one forwards is believed, what anybody else forwards is not."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Proxy:
    """ASGI middleware. `public_url` gives the sub-path under which a proxy serves the pages, if any."""

    def __init__(self, app: ASGIApp, trusted: Collection[str], public_url: str) -> None:
        self.app, self.trusted = app, trusted
        self.prefix = urlsplit(public_url).path.rstrip("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        peer = scope["client"][0] if scope.get("client") else ""
        if scope["type"] != "http" or peer not in self.trusted:
            await self.app(scope, receive, send)
            return
        scope = self._outside(scope)
        await self.app(scope, receive, _kept_inside(send, scope["root_path"]))

    def _outside(self, scope: Scope) -> Scope:
        """The request as the browser sent it to the proxy."""
        headers = Headers(scope=scope)
        raw = [(name, value) for name, value in scope["headers"] if name != b"host"]
        host = _last(headers.get("x-forwarded-host", "")) or headers.get("host", "")
        client = _last(headers.get("x-forwarded-for", "")) or scope["client"][0]
        scheme = _last(headers.get("x-forwarded-proto", ""))
        path = scope["path"]
        if not (path + "/").startswith(self.prefix + "/"):
            path = self.prefix + path
        return {
            **scope,
            "client": (client, 0),
            "scheme": scheme if scheme in ("http", "https") else scope["scheme"],
            "headers": [*raw, (b"host", host.encode("latin-1", "replace"))],
            "path": path,
            "root_path": self.prefix,
        }


def _last(value: str) -> str:
    """The entry that the trusted proxy itself has added."""
    return value.rsplit(",", 1)[-1].strip()


def _kept_inside(send: Send, prefix: str) -> Send:
    """Redirects of the pages stay under the sub-path."""

    async def kept(message: Message) -> None:
        if prefix and message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            to = headers.get("location", "")
            if to.startswith("/") and not (to + "/").startswith(prefix + "/"):
                headers["location"] = prefix + to
        await send(message)

    return kept
