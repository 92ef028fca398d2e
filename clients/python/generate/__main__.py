"""`python3 -m generate`, in `clients/python`: writes the generated files."""

from . import document, errors, models, resources

PACKAGE = document.ROOT / "python" / "src" / "wirebird" / "_generated"

HEADER = '''"""{about} Generated from `clients/openapi.json` by `python3 -m generate`: do not edit."""

from __future__ import annotations

'''


def files() -> dict[str, str]:
    """The text of each generated file, by its name."""
    api = document.read()
    written = {
        "errors.py": ("A class for each error code.", errors.write(api)),
        "models.py": ("What the API answers.", models.write(api)),
        "resources.py": ("The endpoints.", resources.write(api, is_async=False)),
        "async_resources.py": ("The endpoints, for asyncio.", resources.write(api, is_async=True)),
    }
    return {name: HEADER.format(about=about) + text for name, (about, text) in written.items()}


if __name__ == "__main__":
    for name, text in files().items():
        (PACKAGE / name).write_text(text, encoding="utf-8")
