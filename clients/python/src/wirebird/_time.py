"""Times as the API writes them: RFC 3339 with an offset."""

from __future__ import annotations

from datetime import datetime


def parse_time(text: str) -> datetime:
    """A time of the API, with its time zone."""
    # Python before 3.11 does not read "Z".
    return datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text)


def format_time(time: datetime | str) -> str:
    """Raises ValueError for a time without a time zone: it would mean another moment on another machine."""
    if isinstance(time, str):
        return time
    if time.tzinfo is None:
        raise ValueError(
            "The time needs a time zone, for example datetime.now(timezone.utc) + timedelta(hours=1)."
        )
    return time.isoformat()
