"""A class for each error code: `except errors.SendUnknownError as error: …`."""

from ._errors import NoAnswerError as NoAnswerError
from ._errors import UnexpectedAnswerError as UnexpectedAnswerError
from ._errors import WirebirdError as WirebirdError
from ._generated.errors import *  # noqa: F403
