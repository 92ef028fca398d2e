"""Writes the generated part of the client from `clients/openapi.json`: `python3 -m generate`."""
