"""What the calls return, and the lists of words in it."""

from ._generated.models import *  # noqa: F403
from ._resource import AsyncPages as AsyncPages
from ._resource import Page as Page
from ._resource import Pages as Pages
