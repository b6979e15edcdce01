"""An endpoint that plays a language model: Chat Completions on loopback, each answer decided by a function."""

import json
import threading
from collections.abc import Callable
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Scripted:
    """The endpoint's address, and every request that it got. `answer(request, number)` gives (status, content)."""

    def __init__(self, answer: Callable[[dict, int], tuple[int, str]]) -> None:
        self.answer = answer
        self.asked: list[dict] = []
        self.lock = threading.Lock()
        self.address = ""


@contextmanager
def scripted(answer: Callable[[dict, int], tuple[int, str]]):
    played = Scripted(answer)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with played.lock:
                played.asked.append(request)
                number = len(played.asked)
            status, content = played.answer(request, number)
            self._say(status, content)

        def _say(self, status: int, content: str) -> None:
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
            usage = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
            said = {
                "id": "x",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [choice],
                "usage": usage,
            }
            body = json.dumps(said if status == 200 else {"error": {"message": content}}).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            if status != 200:
                self.send_header("retry-after-ms", "1")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep the tests' output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    played.address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield played
    finally:
        server.shutdown()
        server.server_close()
