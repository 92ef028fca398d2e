"""Written by `python3 -m generate` from the OpenAPI document."""
