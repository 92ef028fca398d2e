"""Writes a class for each value of `X-Error-Code`."""

from __future__ import annotations

import json

from .document import Api, camel


def class_of(code: str) -> str:
    return f"{camel(code)}Error"


def write(api: Api) -> str:
    schema = api.headers["X-Error-Code"]["schema"]
    codes: list[str] = schema["enum"]
    maybe: list[str] = schema["x-may-be-sent"]
    classes = "".join(
        f'\n\nclass {class_of(code)}(WirebirdError):\n    code = "{code}"\n'
        + ("    _may_be_sent = True\n" if code in maybe else "")
        for code in codes
    )
    table = "".join(f"    {json.dumps(code)}: {class_of(code)},\n" for code in codes)
    names = "".join(f"    {json.dumps(class_of(code))},\n" for code in codes)
    return (
        "from .._errors import WirebirdError\n"
        f"{classes}\n\n"
        "ERROR_CLASSES: dict[str, type[WirebirdError]] = {\n"
        f"{table}}}\n\n"
        f"__all__ = [\n{names}]\n"
    )
