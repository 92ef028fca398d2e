"""
Sends through a proxy that loses, delays and duplicates requests and answers, to the real product: no message
arrives twice, and of each the outcome is known. WIREBIRD_FAULT_SENDS says how many are sent.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from urllib.request import urlopen

from conftest import Product, program

from wirebird import AsyncWirebird, Wirebird, WirebirdError

SENDS = int(os.environ.get("WIREBIRD_FAULT_SENDS", "80"))
AT_ONCE = 24
# Short, because the proxy lets connections hang.
OPTIONS = {"attempt_timeout_seconds": 2.0, "timeout_seconds": 60.0}
REPEATS_MAX = 10


def send_all_sync(base_url: str, keys: list[str], names: list[str]) -> dict[str, str]:
    """What became of each message, by its text: half of the program's threads share a client."""
    clients = [Wirebird(api_key=key, base_url=base_url, **OPTIONS) for key in keys]  # type: ignore[arg-type]

    def send(n: int) -> str:
        wb, name = clients[n % len(clients)], names[n]
        key = None
        for _ in range(REPEATS_MAX):
            try:
                mode = "async" if n % 5 == 0 else "sync"
                sent = wb.messages.send_text(to=f"49152288{n % 7:05}", body=name, idempotency_key=key, mode=mode)  # type: ignore[arg-type]
                return wb.messages.wait(sent.id).status if sent.status == "queued" else sent.status
            except WirebirdError as error:
                if not error.may_be_sent:
                    return f"not sent: {error.code}"
                key = error.idempotency_key
        return "not known"

    with ThreadPoolExecutor(AT_ONCE) as pool:
        outcomes = dict(zip(names, pool.map(send, range(len(names)))))
    for wb in clients:
        wb.close()
    return outcomes


async def send_all_async(base_url: str, keys: list[str], names: list[str]) -> dict[str, str]:
    clients = [AsyncWirebird(api_key=key, base_url=base_url, **OPTIONS) for key in keys]  # type: ignore[arg-type]
    room = asyncio.Semaphore(AT_ONCE)

    async def send(n: int) -> str:
        wb, name = clients[n % len(clients)], names[n]
        key = None
        for _ in range(REPEATS_MAX):
            try:
                mode = "async" if n % 5 == 0 else "sync"
                sent = await wb.messages.send_text(to=f"49152288{n % 7:05}", body=name, idempotency_key=key, mode=mode)  # type: ignore[arg-type]
                return (await wb.messages.wait(sent.id)).status if sent.status == "queued" else sent.status
            except WirebirdError as error:
                if not error.may_be_sent:
                    return f"not sent: {error.code}"
                key = error.idempotency_key
        return "not known"

    async def within(n: int) -> str:
        async with room:
            return await send(n)

    outcomes = await asyncio.gather(*(within(n) for n in range(len(names))))
    for wb in clients:
        await wb.close()
    return dict(zip(names, outcomes))


def wait_until_settled(product: Product) -> None:
    """Until no message is under way: duplicates of requests may still come in."""
    for number in product.numbers:
        with Wirebird(api_key=number["key"], base_url=product.base_url) as wb:
            for status in ("queued", "sending"):
                while list(wb.messages.list(status=status)):  # type: ignore[arg-type]
                    time.sleep(0.1)


def test_no_message_arrives_twice_and_each_outcome_is_known(product: Product) -> None:
    keys = [number["key"] for number in product.numbers]
    names = [f"fault {n} {random.getrandbits(64):x}" for n in range(SENDS)]
    half = SENDS // 2
    with program("clients/testing/fault-proxy.ts", "--target", product.base_url, "--rate", "0.4") as proxy:
        outcomes = send_all_sync(proxy["url"], keys, names[:half])
        outcomes.update(asyncio.run(send_all_async(proxy["url"], keys, names[half:])))
        with urlopen(f"{proxy['url']}/__faults") as faults:
            counts = json.load(faults)
    wait_until_settled(product)
    with urlopen(f"{product.control}/arrivals") as arrivals:
        arrived = Counter(one["body"] for one in json.load(arrivals))
    print(f"{SENDS} sends, faults: {counts}, outcomes: {Counter(outcomes.values())}")
    assert {name: arrived[name] for name in names if arrived[name] != 1} == {}
    assert {name: one for name, one in outcomes.items() if one not in ("sent", "delivered", "read")} == {}
    assert sum(count for fault, count in counts.items() if fault != "none") > SENDS / 5
