"""Our own routes beside Streamlit's: sign-in and sign-out, workspace files by task and role, health."""

import io
import re
import zipfile
from html import escape
from pathlib import Path
from urllib.parse import quote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from review_app.desk import ExpertDesk, LeadDesk, Office, Viewer
from review_app.desk import admin as everybody
from review_app.domain.errors import NotAllowed, ReviewError
from review_app.web.gate import COOKIE, SIGN_IN, token_hash_of
from review_app.web.words import words_for
from review_app.workspace.captions import captions_of
from review_app.workspace.pdf import page_image
from review_app.workspace.preview import PreviewError

FILE_HEADERS = {
    "Content-Security-Policy": "sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-store",
}


def routes(office: Office) -> list[BaseRoute]:
    """Return the routes of an office."""
    web = _Web(office)
    return [
        Route(SIGN_IN, web.sign_in_page, methods=["GET"]),
        Route(SIGN_IN, web.sign_in, methods=["POST"]),
        Route("/sign-out", web.sign_out, methods=["POST"]),
        Route("/files/{task_id}/all.zip", web.all_files, methods=["GET"]),
        Route("/files/{task_id}/context/{path:path}", web.file, methods=["GET"]),
        Route("/healthz", web.healthy, methods=["GET"]),
        Route("/readyz", web.ready, methods=["GET"]),
    ]


class _Web:
    def __init__(self, office: Office) -> None:
        self.office = office

    async def sign_in_page(self, request: Request) -> Response:
        return _page(request, request.query_params.get("next", "/"))

    async def sign_in(self, request: Request) -> Response:
        if not _same_origin(request):
            return PlainTextResponse("sign in from our own page", 403)
        form = await request.form(max_files=0, max_fields=8)
        login, password = str(form.get("login", ""))[:200], str(form.get("password", ""))[:1000]
        wanted = str(form.get("next", "/"))
        token = await run_in_threadpool(everybody.sign_in, self.office, login, password)
        if token is None:
            return _page(request, wanted, login, failed=True)
        response = RedirectResponse(_local(wanted), 303)
        response.set_cookie(
            COOKIE,
            token,
            max_age=round(self.office.settings.sign_in_hours * 3600),
            httponly=True,
            samesite="lax",
            secure=self.office.settings.secure_cookie,
            path="/",
        )
        return response

    async def sign_out(self, request: Request) -> Response:
        if not _same_origin(request):
            return PlainTextResponse("sign out from our own page", 403)
        await run_in_threadpool(everybody.sign_out, self.office, _viewer(request))
        response = RedirectResponse(SIGN_IN, 303)
        response.delete_cookie(COOKIE, path="/")
        return response

    async def file(self, request: Request) -> Response:
        task_id, path = request.path_params["task_id"], request.path_params["path"]
        try:
            found = await run_in_threadpool(self._file, _viewer(request), task_id, path)
        except ReviewError as error:
            return PlainTextResponse(str(error), 404)
        page, captions = (request.query_params.get(name) for name in ("page", "captions"))
        if page is not None:
            return await run_in_threadpool(_page_image, found, _number(page))
        if captions is not None:
            return await run_in_threadpool(_captions, found, _number(captions))
        return FileResponse(found, filename=Path(path).name, headers=FILE_HEADERS)

    async def all_files(self, request: Request) -> Response:
        task_id = request.path_params["task_id"]
        try:
            data = await run_in_threadpool(self._zip, _viewer(request), task_id)
        except ReviewError as error:
            return PlainTextResponse(str(error), 404)
        name = quote(f"{task_id}.zip")
        headers = {**FILE_HEADERS, "Content-Disposition": f"attachment; filename={name}"}
        return Response(data, media_type="application/zip", headers=headers)

    def _paths(self, viewer: Viewer, task_id: str) -> dict[str, Path]:
        """Workspace path -> file, as the person's role allows; gold is never among them."""
        try:
            files = ExpertDesk(self.office, viewer).view(task_id).files
            return {file.path: self.office.blobs.path(file.sha256) for file in files}
        except NotAllowed:
            workspace = LeadDesk(self.office, viewer).workspace(task_id)
            return {file.path: self.office.blobs.path(file.sha256) for file in workspace}

    def _file(self, viewer: Viewer, task_id: str, path: str) -> Path:
        found = self._paths(viewer, task_id).get(path)
        if found is None:
            raise NotAllowed(f"there is no file {path!r} in {task_id}")
        return found

    def _zip(self, viewer: Viewer, task_id: str) -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, file in sorted(self._paths(viewer, task_id).items()):
                archive.write(file, f"{task_id}/context/{path}")
        return buffer.getvalue()

    async def healthy(self, request: Request) -> Response:
        return PlainTextResponse("ok")

    async def ready(self, request: Request) -> Response:
        try:
            await run_in_threadpool(self.office.ping)
        except Exception:  # any fault means not ready; what it is stands in the log, not in a public answer
            return PlainTextResponse("the database does not answer", 503)
        return PlainTextResponse("ready")


def _number(text: str) -> int:
    """A number in an address; -1 for what is none, or is longer than any that we write."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _page_image(file: Path, page: int) -> Response:
    """A page of a PDF as a picture."""
    try:
        picture = page_image(file, page)
    except PreviewError as error:
        return PlainTextResponse(str(error), 404, headers=FILE_HEADERS)
    return Response(picture, media_type="image/png", headers=FILE_HEADERS)


def _captions(file: Path, track: int) -> Response:
    """A caption track of a video as WebVTT."""
    tracks = captions_of(file)
    if not 0 <= track < len(tracks):
        return PlainTextResponse(f"the video has no caption track {track}", 404, headers=FILE_HEADERS)
    return Response(tracks[track].vtt, media_type="text/vtt", headers=FILE_HEADERS)


def _viewer(request: Request) -> Viewer:
    return Viewer(token_hash_of(request.scope))


def _same_origin(request: Request) -> bool:
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


def _local(path: str) -> str:
    """A path on this server, whatever was asked for: no other host, no other scheme."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"


def _page(request: Request, wanted: str, login: str = "", failed: bool = False) -> HTMLResponse:
    words = words_for(request.query_params.get("lang"), request.headers.get("accept-language", ""))
    template = Path(__file__).with_name("sign_in.html").read_text(encoding="utf-8")
    values = {
        **words,
        "login_value": login,
        "next": _local(wanted),
        "next_quoted": quote(_local(wanted), safe=""),
        "failure": words["failed"] if failed else "",
    }
    # In one pass: what somebody typed is never read as a name to fill in.
    filled = re.sub(r"{{(\w+)}}", lambda name: escape(values[name[1]], quote=True), template)
    return HTMLResponse(filled, 401 if failed else 200, headers={"Cache-Control": "no-store"})
