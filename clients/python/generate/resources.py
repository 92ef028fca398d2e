"""Writes a class for each group of endpoints, with a method for each endpoint."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from .document import Api, Schema, in_python, is_nullable, python_type, snake, without_null, wrapped
from .models import read_value

# The place of each endpoint in the client; sends are methods of `messages`, under their own names.
METHODS = {
    "getMessage": "messages.get",
    "listMessages": "messages.list",
    "cancelMessage": "messages.cancel",
    "checkRecipients": "recipients.check",
    "getNumber": "number.get",
    "getStatus": "status.get",
    "createWebhook": "webhooks.create",
    "listWebhooks": "webhooks.list",
    "changeWebhook": "webhooks.update",
    "deleteWebhook": "webhooks.delete",
    "rotateWebhook": "webhooks.rotate",
    "testWebhook": "webhooks.test",
    "replayWebhook": "webhooks.replay",
}
GROUPS = {
    "messages": "Sends messages of the key's number, and shows what became of them.",
    "recipients": "Who is on WhatsApp.",
    "number": "The key's number.",
    "status": "The state of the key's number.",
    "webhooks": "The webhook endpoints of the key's number.",
}
# Classes whose methods are written by hand.
ADDED = {"messages": ["{}WaitsForMessages"], "webhooks": ["VerifiesWebhooks"]}

# The parameters that stand for the headers of a send. `reference` is in the body.
OPTIONS = {
    "Idempotency-Key": ("idempotency_key", "str | None = None"),
    "X-Send-At": ("send_at", "datetime | str | None = None"),
    "Prefer": ("mode", "Mode | None = None"),
    "X-Expires-In": ("expires_in_seconds", "int | None = None"),
    "X-Dry-Run": ("dry_run", "bool = False"),
}
IN_BODY = {"X-Reference"}
OPTION_TEXTS = {
    "idempotency_key": "Names this message: a repeat with the same key and the same arguments within "
    "24 hours never sends it twice. Use one for each message, such as order-1042-ready. Made for each call "
    "when left out.",
    "send_at": "Schedules the message for this time, up to 30 days ahead. It needs a time zone.",
    "mode": '"sync" waits for the outcome, "async" returns a queued message at once, and a number '
    'of seconds waits for at most so long. "sync" when left out.',
    "expires_in_seconds": "Seconds after which a message that still waits expires. When left out: 24 hours, "
    'or 40 seconds with "sync".',
    "dry_run": "Checks everything and sends nothing.",
}


def write(api: Api, *, is_async: bool) -> str:
    methods: dict[str, list[str]] = {group: [] for group in GROUPS}
    for path, operations in api.paths.items():
        for verb, operation in operations.items():
            group, name = method_of(operation["operationId"])
            methods[group].append(_Method(api, verb.upper(), path, operation, name).write(is_async))
    prefix = "Async" if is_async else ""
    classes = []
    for group, written in methods.items():
        name = f"{prefix}{group[0].upper()}{group[1:]}Resource"
        bases = ", ".join([f"{prefix}Resource", *(one.format(prefix) for one in ADDED.get(group, []))])
        classes.append(f'class {name}({bases}):\n    """{GROUPS[group]}"""\n\n{chr(10).join(written)}')
    body = "\n\n".join(classes)
    used = re.findall(r"\b[A-Z]\w+\b", re.sub(r'"""(.|\n)*?"""', "", body))
    models = sorted({*api.words.values(), *api.schemas} & set(used))
    return (
        "from collections.abc import Sequence\n"
        "from datetime import datetime\n"
        "from typing import List\n\n"
        f"from .._resource import {prefix}Pages, {prefix}Resource, quoted\n"
        "from .._sending import Mode, SendOptions\n"
        f"from .._waiting import {prefix}WaitsForMessages\n"
        "from .._webhooks import VerifiesWebhooks\n"
        f"from .models import (\n{''.join(f'    {model},{chr(10)}' for model in models)})\n\n\n{body}"
    )


def method_of(operation_id: str) -> tuple[str, str]:
    """`messages`, `send_text`."""
    if re.fullmatch(r"send[A-Z]\w+", operation_id):
        return "messages", snake(operation_id)
    group, _, name = METHODS[operation_id].partition(".")
    return group, name


class _Method:
    def __init__(self, api: Api, verb: str, path: str, operation: Schema, name: str) -> None:
        self.api, self.verb, self.path, self.operation, self.name = api, verb, path, operation, name
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        schema = body.get("schema", {"properties": {}})
        self.required = schema.get("required", [])
        fields = {key: value for key, value in schema["properties"].items() if key != "token"}
        self.body = dict(sorted(fields.items(), key=lambda field: field[0] not in self.required))
        parameters = operation.get("parameters", [])
        self.in_path = [one for one in parameters if one["in"] == "path"]
        self.query = {one["name"]: one["schema"] for one in parameters if one["in"] == "query"}
        self.headers = [one["name"] for one in parameters if one["in"] == "header"]
        self.data = api.data_of(operation)
        self.is_paged = "next" in self.data.get("properties", {})

    def write(self, is_async: bool) -> str:
        star = ["*"] if len(self.body) + len(self.query) > 1 else []
        signature = [*(f"{one['name']}: str" for one in self.in_path), *star, *self._parameters()]
        returned = self._returned("AsyncPages" if is_async else "Pages")
        awaits = is_async and not self.is_paged
        lines = "".join(f"        {one},\n" for one in ["self", *signature])
        return (
            f"    {'async ' if awaits else ''}def {self.name}(\n{lines}    ) -> {returned}:\n"
            f"{self._docstring()}"
            f"{self._call('AsyncPages' if is_async else 'Pages', 'await ' if awaits else '')}"
        )

    def _parameters(self) -> Iterator[str]:
        for name, schema in self.body.items():
            kind = _argument_type(self.api, schema)
            yield f"{snake(name)}: {kind}" if name in self.required else f"{snake(name)}: {kind} | None = None"
        for name, schema in self.query.items():
            yield f"{snake(name)}: {_argument_type(self.api, schema)} | None = None"
        for header in self.headers:
            if header not in IN_BODY:
                name, kind = OPTIONS[header]
                yield f"{name}: {kind}"

    def _docstring(self) -> str:
        text = in_python(f"{self.operation['summary']}. {self.operation['description']}")
        arguments = [(one["name"], one["schema"].get("description", "")) for one in self.in_path]
        arguments += [(snake(name), one.get("description", "")) for name, one in {**self.body, **self.query}.items()]
        arguments += [(OPTIONS[one][0], "") for one in self.headers if one not in IN_BODY]
        lines = "".join(
            wrapped(f"{name}: {OPTION_TEXTS.get(name) or in_python(about)}", " " * 12, "    ") + "\n"
            for name, about in arguments
        )
        listed = f"\n        Args:\n{lines}" if arguments else ""
        return f'{wrapped(chr(34) * 3 + text, " " * 8)}\n{listed}        """\n'

    def _returned(self, pages: str) -> str:
        if self.is_paged:
            return f"{pages}[{python_type(self.api, self._items()[1]['items'])}]"
        if "$ref" not in self.data:
            # The endpoint that a deletion names is the one that was given.
            if self.verb == "DELETE":
                return "None"
            return python_type(self.api, self._only()[1]).replace("list[", "List[")
        return python_type(self.api, self.data)

    def _items(self) -> tuple[str, Schema]:
        return next((name, one) for name, one in self.data["properties"].items() if name != "next")

    def _only(self) -> tuple[str, Schema]:
        """The one field of an answer without a model: the method returns its value."""
        ((name, schema),) = self.data["properties"].items()
        return name, schema

    def _call(self, pages: str, awaits: str) -> str:
        place = f"{self.path!r}".replace("'", '"')
        for one in self.in_path:
            place = f'f"{self.path}"'.replace(f"{{{one['name']}}}", f"{{quoted({one['name']})}}")
        body = _mapping(self.body)
        if self.headers:
            options = ", ".join(OPTIONS[one][0] for one in self.headers if one not in IN_BODY)
            names = "".join(f"                {one}={one},\n" for one in options.split(", "))
            return (
                f"        return {awaits}self._transport.send(\n            {place},\n            {body},\n"
                f"            SendOptions(\n{names}            ),\n        )\n"
            )
        if self.is_paged:
            name, schema = self._items()
            model = python_type(self.api, schema["items"])
            return (
                f"        query = {_mapping(self.query)}\n"
                f"        return {pages}(self._transport, {place}, query, {json.dumps(name)}, {model}.from_json)\n"
            )
        given = f", {body}" if self.body else ""
        if self.verb == "DELETE":
            return f'        {awaits}self._transport.call("DELETE", {place})\n'
        call = f"        data = {awaits}self._transport.call({json.dumps(self.verb)}, {place}{given})\n"
        if "$ref" in self.data:
            return f"{call}        return {read_value('data', self.data)}\n"
        name, schema = self._only()
        return (
            f"{call}        value: {self._returned(pages)} = {read_value(f'data[{json.dumps(name)}]', schema)}\n"
            "        return value\n"
        )


def _argument_type(api: Api, schema: Schema) -> str:
    assert not is_nullable(schema)
    kind = python_type(api, without_null(schema)).replace("list[", "Sequence[")
    return "datetime | str" if kind == "datetime" else kind


def _mapping(fields: dict[str, Schema]) -> str:
    return f"{{{', '.join(f'{json.dumps(name)}: {snake(name)}' for name in fields)}}}"
