"""What the page's own script passes on, read with suspicion: anybody who is logged in can send anything here."""

import json


def read_wish(text: object) -> dict[str, dict[str, str]]:
    """{"edit": {field: value}} or {"say": {"text": words}}; whatever else was sent is nothing."""
    try:
        read = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return {}
    given = read if isinstance(read, dict) else {}
    return {
        kind: {str(name): value for name, value in values.items() if isinstance(value, str)}
        for kind, values in given.items()
        if kind in ("edit", "say") and isinstance(values, dict)
    }
