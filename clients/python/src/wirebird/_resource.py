"""What the generated groups of endpoints are made of."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Callable, Generic, TypeVar
from urllib.parse import quote

from ._transport import AsyncTransport, Transport

Item = TypeVar("Item")


def quoted(value: str) -> str:
    """A value as one segment of a path. Without it the path would be that of the list."""
    if not value:
        raise ValueError("id is empty. The result of a dry run has no id.")
    return quote(value, safe="")


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class AsyncResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport


@dataclass(frozen=True)
class Page(Generic[Item]):
    items: list[Item]
    next: str | None
    """The `cursor` of the following page; None on the last one."""


class _Pages(Generic[Item]):
    def __init__(
        self,
        path: str,
        query: Mapping[str, Any],
        field: str,
        read: Callable[[Mapping[str, Any]], Item],
    ) -> None:
        self._path, self._query, self._field, self._read = path, query, field, read

    def _page(self, data: Mapping[str, Any]) -> Page[Item]:
        return Page([self._read(one) for one in data[self._field]], data["next"])


class Pages(_Pages[Item]):
    """A list that is read page by page while you iterate over it. Each iteration begins at the first page."""

    def __init__(self, transport: Transport, *of: Any) -> None:
        super().__init__(*of)
        self._transport = transport

    def pages(self) -> Iterator[Page[Item]]:
        query = dict(self._query)
        while True:
            page = self._page(self._transport.call("GET", self._path, None, query))
            yield page
            if page.next is None:
                return
            query["cursor"] = page.next

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.items


class AsyncPages(_Pages[Item]):
    """A list that is read page by page while you iterate over it. Each iteration begins at the first page."""

    def __init__(self, transport: AsyncTransport, *of: Any) -> None:
        super().__init__(*of)
        self._transport = transport

    async def pages(self) -> AsyncIterator[Page[Item]]:
        query = dict(self._query)
        while True:
            page = self._page(await self._transport.call("GET", self._path, None, query))
            yield page
            if page.next is None:
                return
            query["cursor"] = page.next

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.items:
                yield item
