"""The wire forms that several suites share."""

import base64
from typing import Optional


def read_text(text) -> bytes:
    """The bytes of a TEXT: a JSON string, or base64 where they are no UTF-8."""
    if isinstance(text, str):
        return text.encode()
    return base64.b64decode(text["base64"], validate=True)


def write_text(text: Optional[bytes]):
    if text is None:
        return None
    try:
        return text.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(text).decode()}
