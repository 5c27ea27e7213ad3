"""Lets only those in who were given the link, and only through pages of our own."""

import hashlib
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES: Final = 64 * 1024

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""What a page may load and do: text of a benchmark that came through as markup could do nothing."""

_HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


@dataclass(frozen=True, slots=True)
class Access:
    """Who may come in.

    Attributes:
        host: the address that is listened on.
        token: the secret of the link.
        session: the secret of the cookie that the link is traded for.
    """

    host: str
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    @property
    def cookie(self) -> str:
        """Name of the cookie; servers on other ports of this machine have others."""
        return f"oasis-{hashlib.sha256(self.token.encode()).hexdigest()[:8]}"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can connect."""
        return _is_loopback(self.host)

    def admits_host(self, header: str) -> bool:
        """Tell whether a ``Host`` header names this server.

        A page elsewhere that had its own name point to this machine would send that name. So names
        have to be ours, while an address, which cannot be made to point elsewhere, may be any that
        can reach us.
        """
        name = _split_name(header)
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name in self._names
        return address.is_loopback or not self.is_local

    @property
    def _names(self) -> set[str]:
        names = {"localhost", self.host.lower()}
        return names if self.is_local else names | _list_own_names()


class Guard:
    """Stands before an application: refuses strangers, and seals every answer with our headers."""

    def __init__(
        self,
        app: ASGIApp,
        access: Access,
        render_entry: Callable[[str], str],
        render_refusal: Callable[[str], str],
    ) -> None:
        """Guard an application.

        Args:
            app: the application.
            access: who may come in.
            render_entry: makes the page that goes on to an address of ours.
            render_refusal: makes the page that says why someone may not come in.
        """
        self._app = app
        self._access = access
        self._render_entry = render_entry
        self._render_refusal = render_refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        answer = self._answer(scope)
        await (self._app if answer is None else answer)(scope, receive, send_sealed)

    def _answer(self, scope: Scope) -> Response | None:
        """Return what to answer in place of the application; None to let the request through."""
        headers = Headers(scope=scope)
        if not self._access.admits_host(headers.get("host", "")):
            return self._refuse("This address is not the server's own.")
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        token = next((value for name, value in query if name == "token"), None)
        if token is not None and scope["method"] == "GET":
            return self._let_in(token, [pair for pair in query if pair[0] != "token"])
        cookies = cookie_parser(headers.get("cookie", ""))
        if not _is_same(cookies.get(self._access.cookie, ""), self._access.session):
            return self._refuse(
                "Open the link that the command printed when it was started; it has to be opened "
                "once in each browser, and again after each start."
            )
        return None if scope["method"] in ("GET", "HEAD") else self._refuse_foreign(headers)

    def _refuse_foreign(self, headers: Headers) -> Response | None:
        """Refuse a change that does not come from a page of ours, or is too long."""
        host = headers.get("host", "")
        if headers.get("origin", "") not in (f"http://{host}", f"https://{host}"):
            return self._refuse("The request does not come from a page of this server.")
        length = headers.get("content-length", "")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            return self._refuse("The request is too long.", status_code=413)
        return None

    def _let_in(self, token: str, query: list[tuple[str, str]]) -> Response:
        if not _is_same(token, self._access.token):
            return self._refuse("The token of this link is not that of the running server.")
        # A redirect would still count as coming from wherever the link was clicked, and the
        # cookie would not be sent; a page of ours that goes on does not.
        response = HTMLResponse(self._render_entry(f"/?{urlencode(query)}"))
        response.set_cookie(
            self._access.cookie, self._access.session, httponly=True, samesite="strict"
        )
        return response

    def _refuse(self, reason: str, *, status_code: int = 403) -> Response:
        return HTMLResponse(self._render_refusal(reason), status_code=status_code)


@cache
def _list_own_names() -> frozenset[str]:
    return frozenset({socket.gethostname().lower(), socket.getfqdn().lower()})


def _is_same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode(), secret.encode())


def _split_name(header: str) -> str:
    if header.startswith("["):
        return header[1:].partition("]")[0]
    name, colon, port = header.rpartition(":")
    return (name if colon and port.isdecimal() else header).lower().rstrip(".")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
