"""The package as it is committed."""

from __future__ import annotations

import pytest

from generate import __main__ as generate


@pytest.mark.parametrize("name", sorted(generate.files()))
def test_the_generated_files_are_current(name: str) -> None:
    text = (generate.PACKAGE / name).read_text(encoding="utf-8")
    assert text == generate.files()[name], "Run python3 -m generate in clients/python."
