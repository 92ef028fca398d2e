"""The OpenAPI document, and how its schemas read in Python."""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

Schema = dict[str, Any]

# The names of the lists of words, by the first place where each list appears.
WORDS = {
    "SendResult.type": "MessageKind",
    "SendResult.status": "SendStatus",
    "NumberStatus.status": "NumberState",
    "NumberHealth.level": "HealthLevel",
    "NumberNewContacts.limit": "NewContactsLimit",
    "NumberCap.status": "CapStatus",
    "CheckedRecipient.status": "RecipientStatus",
    "Message.status": "MessageStatus",
    "Message.errorCode": "ErrorCode",
    "Webhook.events": "EventType",
    "X-Send-Outcome": "SendOutcome",
    "X-Limit": "LimitName",
}


class Api:
    """The document, with the names of its lists of words."""

    def __init__(self, document: Schema) -> None:
        self.paths: dict[str, dict[str, Schema]] = document["paths"]
        self.schemas: dict[str, Schema] = document["components"]["schemas"]
        self.headers: dict[str, Schema] = document["components"]["headers"]
        self.words: dict[tuple[str, ...], str] = {}
        for place, name in WORDS.items():
            self.words[tuple(self._words_at(place))] = name

    def _words_at(self, place: str) -> list[str]:
        if place in self.headers:
            return list(self.headers[place]["schema"]["enum"])
        owner, _, field = place.partition(".")
        schema = self.schemas.get(owner)
        if schema is None:
            # A nested object: its name is its owner's and its own.
            outer, inner = next(
                (name, rest)
                for name in self.schemas
                if (rest := owner.removeprefix(name)) not in ("", owner)
                and rest[0].lower() + rest[1:] in self.schemas[name]["properties"]
            )
            schema = without_null(self.schemas[outer]["properties"][inner[0].lower() + inner[1:]])
        inside = without_null(schema["properties"][field])
        return list(inside.get("items", inside)["enum"])

    def data_of(self, operation: Schema) -> Schema:
        """The schema of `data` in the successful answer."""
        ref = operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
        data: Schema = self.schemas[ref.rsplit("/", 1)[1]]["properties"]["data"]
        return data


def read() -> Api:
    return Api(json.loads((ROOT / "openapi.json").read_text(encoding="utf-8")))


def is_nullable(schema: Schema) -> bool:
    kind = schema.get("type")
    return (isinstance(kind, list) and "null" in kind) or any(
        one == {"type": "null"} for one in schema.get("anyOf", [])
    )


def without_null(schema: Schema) -> Schema:
    """The schema of the value where it is not null."""
    if not is_nullable(schema):
        return schema
    if "anyOf" in schema:
        rest = [one for one in schema["anyOf"] if one != {"type": "null"}]
        return {**schema, "anyOf": rest} if len(rest) > 1 else dict(rest[0])
    return {**schema, "type": next(one for one in schema["type"] if one != "null")}


def snake(name: str) -> str:
    """`contactName` as `contact_name`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def camel(name: str) -> str:
    """`rate_limited` as `RateLimited`."""
    return "".join(part[0].upper() + part[1:] for part in name.split("_"))


def python_type(api: Api, schema: Schema, nested: str = "") -> str:
    """The annotation of a value. `nested`: the class of an object without a name of its own."""
    if is_nullable(schema):
        return f"{python_type(api, without_null(schema), nested)} | None"
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "anyOf" in schema:
        return " | ".join(python_type(api, one, nested) for one in schema["anyOf"])
    if "enum" in schema:
        words = tuple(schema["enum"])
        return api.words.get(words) or f"Literal[{', '.join(map(json.dumps, words))}]"
    if schema.get("format") == "date-time":
        return "datetime"
    kind = schema["type"]
    if kind == "array":
        return f"list[{python_type(api, schema['items'], nested)}]"
    if kind == "object":
        return nested
    return {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}[str(kind)]


def in_python(text: str) -> str:
    """A description of the API in Python's words."""
    words = {"null": "None", "`true`": "`True`", "`false`": "`False`"}
    return re.sub(r"\bnull\b|`true`|`false`", lambda found: words[found[0]], text)


def wrapped(text: str, indent: str, hanging: str = "") -> str:
    """Text in lines of at most 100 characters."""
    return textwrap.fill(
        text,
        width=100,
        initial_indent=indent,
        subsequent_indent=indent + hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


def docstring(text: str, indent: str) -> str:
    one_line = f'{indent}"""{text}"""'
    if len(one_line) <= 100:
        return one_line
    return f'{wrapped(chr(34) * 3 + text, indent)}\n{indent}"""'
