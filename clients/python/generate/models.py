"""Writes a frozen dataclass for each object that the API answers."""

from __future__ import annotations

import json

from .document import Api, Schema, docstring, in_python, is_nullable, python_type, snake, without_null

# What the headers of an answer add to a model: field, type, default, description.
FROM_HEADERS = {
    "SendResult": (
        ("estimated_send_at", "datetime | None", "None", "With `send_at`: when the message will probably leave."),
        ("estimated_wait_seconds", "int | None", "None", "After a dry run: for how long it would probably wait."),
        (
            "replayed",
            "bool",
            "False",
            "This call sent nothing new: the message is of an earlier request with the same key, also of an earlier "
            "attempt.",
        ),
    )
}


def write(api: Api) -> str:
    classes: dict[str, str] = {}
    for name, schema in api.schemas.items():
        if name.endswith(("Answer", "Event")) or name in ("Error", "Problem"):
            continue
        _write_class(api, name, schema, classes)
    words = "".join(
        f"{name} = Literal[\n{''.join(f'    {json.dumps(word)},{chr(10)}' for word in words)}]\n\n"
        for words, name in api.words.items()
    )
    exported = sorted([*classes, *api.words.values()])
    names = "".join(f"    {json.dumps(name)},\n" for name in exported)
    return (
        "from collections.abc import Mapping\n"
        "from dataclasses import dataclass\n"
        "from datetime import datetime\n"
        "from typing import Any, Literal\n\n"
        "from .._time import parse_time\n\n"
        f"{words}\n{(chr(10) * 2).join(classes.values())}"
        f"\n\n__all__ = [\n{names}]\n"
    )


def _write_class(api: Api, name: str, schema: Schema, classes: dict[str, str]) -> None:
    """Adds the class, after those that it uses."""
    fields = ""
    arguments = ""
    for field, given in schema["properties"].items():
        nested = name + field[0].upper() + field[1:]
        inside = without_null(given)
        items = inside.get("items", inside)
        if items.get("type") == "object":
            nested = nested.removesuffix("s") if "items" in inside else nested
            _write_class(api, nested, items, classes)
        fields += f"    {snake(field)}: {python_type(api, given, nested)}\n"
        if "description" in given:
            fields += docstring(in_python(given["description"]), "    ") + "\n"
        arguments += f"            {snake(field)}={_reader(field, given, nested)},\n"
    for field, kind, default, description in FROM_HEADERS.get(name, ()):
        fields += f"    {field}: {kind} = {default}\n{docstring(description, '    ')}\n"
    about = schema.get("description")
    classes[name] = (
        "@dataclass(frozen=True)\n"
        f"class {name}:\n"
        + (docstring(about, "    ") + "\n\n" if about else "")
        + f"{fields}\n"
        "    @classmethod\n"
        f"    def from_json(cls, data: Mapping[str, Any]) -> {name}:\n"
        "        return cls(\n"
        f"{arguments}        )\n"
    )


def _reader(field: str, schema: Schema, nested: str) -> str:
    """The expression that reads a field of `data`."""
    value = f"data[{json.dumps(field)}]"
    inside = without_null(schema)
    made = read_value(value, inside, nested)
    if not is_nullable(schema):
        return made
    # An older server may not send the field.
    got = f"data.get({json.dumps(field)})"
    return got if made == value else f"{made} if {got} is not None else None"


def read_value(value: str, schema: Schema, nested: str = "") -> str:
    """The expression that makes Python's value of a value of JSON."""
    if "$ref" in schema:
        return f"{schema['$ref'].rsplit('/', 1)[1]}.from_json({value})"
    if schema.get("format") == "date-time":
        return f"parse_time({value})"
    if schema.get("type") == "object":
        return f"{nested}.from_json({value})"
    if schema.get("type") == "array":
        one = read_value("one", schema["items"], nested)
        return value if one == "one" else f"[{one} for one in {value}]"
    return value
