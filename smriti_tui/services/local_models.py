"""What a model server on this machine offers. Asks the loopback address alone, and not for long."""

from __future__ import annotations

import http.client
import json

PORT = 11434
"""Where Ollama listens."""
_WAIT_S = 0.3
_MOST_BYTES = 1 << 20
_MOST_NAMES = 12


def local_models(port: int = PORT) -> tuple[str, ...] | None:
    """Names of models as the settings write them (`ollama_chat/NAME`); None: nobody listens.

    Takes up to twice 0.3 s: not for an event loop's thread.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_WAIT_S)
    try:
        connection.request("GET", "/api/tags", headers={"Connection": "close"})
        reply = connection.getresponse()
        found = json.loads(reply.read(_MOST_BYTES)) if reply.status == 200 else {}
    except ConnectionError:
        return None
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return ()  # Somebody listens, but speaks otherwise or too slowly.
    finally:
        connection.close()
    models = found.get("models") if isinstance(found, dict) else None
    names = [
        each.get("name")
        for each in (models if isinstance(models, list) else ())
        if isinstance(each, dict)
    ]
    kept = [name for name in names if isinstance(name, str) and name.isprintable() and name]
    return tuple(f"ollama_chat/{name}" for name in kept[:_MOST_NAMES])
