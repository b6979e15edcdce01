"""The gate around everything, websocket and uploads included: no live sign-in, no page; and security headers."""

from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import URL, Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from review_app.accounts import Profile, hash_token
from review_app.desk.admin import me
from review_app.desk.office import Office, Viewer
from review_app.domain.errors import ReviewError

COOKIE = "dataspace_review"
SIGN_IN = "/sign-in"
OPEN_PATHS = frozenset({SIGN_IN, "/healthz", "/readyz", "/_stcore/health"})
CLOSED_PATHS = frozenset({"/_stcore/metrics"})
IDENTITY = "x-review-"
# The first hash is Streamlit's own one-line loader, the second that of streamlit-player.
CONTENT_SECURITY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval' 'sha256-THxz9J9+wf7rhwR2YkXJoSZ13UCmYyC+3lNDv2+8ugA=' "
        "'sha256-W7p1rUoVEXhO3fLKApRhEgIwPMbvCelQ2yW8K9s4Hx4='",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "media-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "frame-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Gate:
    """ASGI middleware. What a client sends under our identity headers is dropped; only the gate sets them."""

    def __init__(self, app: ASGIApp, office: Office) -> None:
        self.app = app
        self.office = office

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or turn it away."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        scope["headers"] = [pair for pair in scope["headers"] if not pair[0].lower().startswith(IDENTITY.encode())]
        if path in CLOSED_PATHS:
            await _refuse(scope, receive, send)
            return
        if path not in OPEN_PATHS:
            token_hash = token_hash_of(scope)
            profile = await run_in_threadpool(self._profile, token_hash)
            if profile is None:
                await _refuse(scope, receive, send)
                return
            scope["headers"] += [(b"x-review-sign-in", token_hash.encode()), (b"x-review-account", profile.id.encode())]
        await self.app(scope, receive, _with_headers(send))

    def _profile(self, token_hash: str) -> Profile | None:
        if not token_hash:
            return None
        try:
            return me(self.office, Viewer(token_hash))
        except ReviewError:
            return None


def token_hash_of(scope: Scope) -> str:
    """Return the hash of the sign-in cookie's token, empty without one."""
    try:
        cookies = SimpleCookie(Headers(scope=scope).get("cookie", ""))
    except CookieError:
        return ""
    return hash_token(cookies[COOKIE].value) if COOKIE in cookies else ""


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4401})
        return
    wants_page = "text/html" in Headers(scope=scope).get("accept", "")
    response: Any = PlainTextResponse("sign in first", 401)
    if wants_page and scope["path"] not in CLOSED_PATHS:
        wanted = URL(scope=scope)
        query = f"?{wanted.query}" if wanted.query else ""
        response = RedirectResponse(f"{SIGN_IN}?next={quote(wanted.path + query)}", 303)
    await response(scope, receive, _with_headers(send))


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
