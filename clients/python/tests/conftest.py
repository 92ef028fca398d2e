"""What the tests share: a server that answers by a script, the real product, and the faulty proxy."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Protocol

import pytest

from wirebird import AsyncWirebird, Wirebird

ROOT = Path(__file__).resolve().parents[3]
NODE = ROOT / "node_modules" / ".bin" / "node"
KEY = "wsk_test_secret"

# Works with both clients: it returns a result, an awaitable, or a list that is read page by page.
Use = Callable[[Any], Any]


class Run(Protocol):
    def __call__(self, base_url: str, use: Use, **options: Any) -> Any: ...


def defaults(base_url: str, options: dict[str, Any]) -> dict[str, Any]:
    return {"api_key": KEY, "base_url": base_url, **options}


def run_sync(base_url: str, use: Use, **options: Any) -> Any:
    with Wirebird(**defaults(base_url, options)) as wb:
        got = use(wb)
        return list(got) if hasattr(got, "__iter__") and not isinstance(got, (str, list, tuple)) else got


def run_async(base_url: str, use: Use, **options: Any) -> Any:
    async def go() -> Any:
        async with AsyncWirebird(**defaults(base_url, options)) as wb:
            got = use(wb)
            if hasattr(got, "__aiter__"):
                return [one async for one in got]
            return await got if inspect.isawaitable(got) else got

    return asyncio.run(go())


@pytest.fixture(params=[run_sync, run_async], ids=["sync", "async"])
def run(request: pytest.FixtureRequest) -> Run:
    """Uses a client of either kind and returns the result."""
    chosen: Run = request.param
    return chosen


@dataclass
class Seen:
    verb: str
    path: str
    headers: dict[str, str]
    body: bytes


Behaviour = Callable[[BaseHTTPRequestHandler], None]


class Script:
    """A server that does one thing after the other, the last again and again."""

    def __init__(self, port: int) -> None:
        self.base_url = f"http://127.0.0.1:{port}"
        self.behaviours: list[Behaviour] = []
        self.seen: list[Seen] = []

    def answers(self, *behaviours: Behaviour) -> str:
        self.behaviours = list(behaviours)
        return self.base_url


@pytest.fixture
def api() -> Iterator[Script]:
    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            script.seen.append(Seen(self.command, self.path, headers, body))
            script.behaviours[min(len(script.seen), len(script.behaviours)) - 1](self)

        do_GET = do_POST = do_PATCH = do_DELETE = handle_any

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    script = Script(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield script
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def program(*args: str) -> Iterator[dict[str, Any]]:
    """A program of `clients/testing`, and the line of JSON that it prints when it is ready."""
    command = [str(NODE), *args]
    environment = {**os.environ, "LOG_LEVEL": "silent"}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment) as running:
        assert running.stdout is not None
        try:
            line = running.stdout.readline()
            assert line, f"{args[0]} did not start"
            yield json.loads(line)
        finally:
            running.send_signal(signal.SIGTERM)
            running.wait(60)


@dataclass
class Product:
    base_url: str
    control: str
    receiver_port: int
    numbers: list[dict[str, str]]

    @property
    def key(self) -> str:
        return self.numbers[0]["key"]

    def file(self, name: str) -> str:
        return f"{self.control}/files/{name}"


def free_port() -> int:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        return int(server.server_address[1])


@pytest.fixture(scope="session")
def product() -> Iterator[Product]:
    """The real product without browsers, with four numbers: the one that is given, or one of our own."""
    if given := os.environ.get("WIREBIRD_TEST_PRODUCT"):
        ready = json.loads(given)
        yield Product(ready["baseUrl"], ready["control"], ready["receiverPort"], ready["numbers"])
        return
    port = free_port()
    with program(
        "clients/testing/product.ts", "--numbers", "4", "--webhook-hosts", f"127.0.0.1:{port}"
    ) as ready:
        yield Product(ready["baseUrl"], ready["control"], port, ready["numbers"])
