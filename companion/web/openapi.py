"""The description of the API, made from its own types."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.web.api import Amend, Given, NewAct, NewTable, PinGiven, Rehearse, Ruling, Undo
from companion.web.club import Forgetting, Renaming

_FORMS = ("application/json", "application/jsonl", "text/csv")
_ERROR = {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}
_TABLE = {
    "name": "table", "in": "path", "required": True,
    "schema": {"type": "string", "pattern": "^[a-z0-9]{1,20}$"}, "description": "the table's key",
}  # fmt: skip
_GAME = {
    "name": "game", "in": "path", "required": True,
    "schema": {"type": "string", "pattern": "^[a-z]{1,20}$"}, "description": "the game's key",
}  # fmt: skip
_OPERATIONS: tuple[tuple[str, str, str, type[Any] | None, str], ...] = (
    ("/api/games", "get", "The games that are installed", None, "200"),
    ("/api/tables", "get", "The tables, the one played last first", None, "200"),
    ("/api/tables", "post", "Begin a game", NewTable, "201"),
    ("/api/club/{game}", "get", "The club's pilots of a game with their licences, for the host", None, "200"),
    ("/api/club/{game}/export", "get", "The same as CSV", None, "200"),
    ("/api/club/{game}/rename", "post", "Another nickname for the same licence", Renaming, "200"),
    ("/api/club/{game}/forget", "post", "Strike a pilot off", Forgetting, "200"),
    ("/api/printers", "get", "Each printer's state in words", None, "200"),
    ("/api/rehearsal", "post", "Throw the demonstration's tower or switch its faults", Rehearse, "200"),
    ("/api/host", "post", "Enter the host's PIN", PinGiven, "200"),
    ("/api/tables/{table}", "get", "The caller's view of a table", None, "200"),
    ("/api/tables/{table}/acts", "post", "Begin something that is due", NewAct, "201"),
    ("/api/tables/{table}/asks", "get", "What is asked now", None, "200"),
    ("/api/tables/{table}/asks/{address}", "get", "One ask", None, "200"),
    ("/api/tables/{table}/asks/{address}", "post", "Answer an ask", Given, "200"),
    ("/api/tables/{table}/odds", "get", "The exact odds of the open act", None, "200"),
    ("/api/tables/{table}/undo", "post", "Take back, or bring back", Undo, "200"),
    ("/api/tables/{table}/amend", "post", "Correct an answer", Amend, "200"),
    ("/api/tables/{table}/rule", "post", "Rule by hand", Ruling, "200"),
    ("/api/tables/{table}/seats", "get", "The seats with their keys, for the host", None, "200"),
    ("/api/tables/{table}/export", "get", "The whole journal of a table, for the host", None, "200"),
)


def document(version: str) -> dict[str, Any]:
    """OpenAPI 3.1; every body and every way to fail is in it."""
    kinds = [kind for *_, kind, _ in _OPERATIONS if kind is not None]
    _, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    paths: dict[str, dict[str, Any]] = {}
    for path, method, summary, kind, status in _OPERATIONS:
        paths.setdefault(path, {})[method] = _operation(path, summary, kind, status)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Companion", "version": version or "0", "license": {"name": "Apache-2.0"}},
        "paths": paths,
        "components": {"schemas": components},
    }


def _operation(path: str, summary: str, kind: type[Any] | None, status: str) -> dict[str, Any]:
    fails = {"description": "One plain sentence says why", "content": {"application/json": {"schema": _ERROR}}}
    operation: dict[str, Any] = {
        "summary": summary,
        "responses": {
            status: {"description": "Done", "content": {form: {} for form in _FORMS}},
            **dict.fromkeys(("400", "403", "404", "409", "413", "422", "507"), fails),
        },
    }
    parameters: list[dict[str, Any]] = [_TABLE] if "{table}" in path else [_GAME] if "{game}" in path else []
    if "{address}" in path:
        parameters.append(
            {"name": "address", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        )
    if path == "/api/tables/{table}":
        parameters.append({"name": "since", "in": "query", "schema": {"type": "integer", "minimum": 0}})
        operation["responses"]["304"] = {"description": "Nothing is newer than `since`"}
    if parameters:
        operation["parameters"] = parameters
    if kind is not None:
        schema = {"$ref": f"#/components/schemas/{kind.__name__}"}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return operation
