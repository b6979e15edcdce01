"""Our gate and routes around a small server that says what reached it, without Streamlit."""

import pytest
from candidates_folder import write_candidates
from screens import PASSWORD, House
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient

from review_app.candidates import import_candidates
from review_app.web.gate import COOKIE, Gate
from review_app.web.routes import routes

PAGE = {"accept": "text/html,application/xhtml+xml"}


@pytest.fixture(scope="session")
def imported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    house = House.build(folder / "var", lambda office: None)
    import_candidates(house.office, write_candidates(folder / "candidates", 2))
    return house


@pytest.fixture
def house(imported, tmp_path):
    made = imported.copy(tmp_path / "var", imported.show)
    yield made
    made.office.engine.dispose()


async def reached(request):
    """Say which of our identity headers came through."""
    return JSONResponse({name: value for name, value in request.headers.items() if name.startswith("x-review")})


async def page(request):
    return HTMLResponse("<p>a page</p>")


async def stream(socket):
    await socket.accept()
    await socket.send_json({name: value for name, value in socket.headers.items() if name.startswith("x-review")})
    await socket.close()


@pytest.fixture
def server(house):
    """The ASGI app under test."""
    beneath = [
        Route("/", page),
        Route("/task", page),
        Route("/whoami", reached),
        Route("/_stcore/health", page),
        Route("/_stcore/metrics", page),
        Route("/_stcore/upload_file/one/two", page, methods=["PUT", "DELETE"]),
        Route("/media/any.csv", page),
        WebSocketRoute("/_stcore/stream", stream),
    ]
    return Starlette(routes=[*routes(house.office), *beneath], middleware=[Middleware(Gate, office=house.office)])


@pytest.fixture
def client(server):
    """Return a client for somebody with a live sign-in, or for a stranger; redirects are not followed."""

    def make(token=None):
        cookies = {COOKIE: token} if token else None
        return TestClient(server, cookies=cookies, follow_redirects=False, base_url="http://review.test")

    return make


@pytest.fixture
def person(client, house):
    return lambda login: client(house.tokens[login])


@pytest.fixture
def sign_in(client):
    """Post the sign-in form as a browser would; returns client and answer."""

    def post(login="ann", password=PASSWORD, headers=None, query="", **more):
        stranger = client()
        form = {"login": login, "password": password, **more}
        return stranger, stranger.post(f"/sign-in{query}", data=form, headers=headers)

    return post
