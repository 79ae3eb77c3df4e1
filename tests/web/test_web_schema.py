"""The API holds to its own description: no request that fits it, or nearly, makes the server fail."""

from __future__ import annotations

from typing import Any

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from starlette.applications import Starlette

from companion.game.table import Table

KIOSK = {"Host": "localhost:8080"}


def test_no_request_makes_the_server_fail(app: Starlette, table: Table) -> None:
    """Every operation; every second request goes to a table that exists."""
    schema = schemathesis.openapi.from_asgi("/api", app)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 15
    for operation in operations:
        _try(operation, table)


def _try(operation: Any, table: Table) -> None:
    turn = iter(range(10**6))

    @given(case=operation.as_strategy())
    @settings(max_examples=16, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def trial(case: Any) -> None:
        if next(turn) % 2 and "table" in case.path_parameters:
            case.path_parameters["table"] = table.key
        if not case.path.endswith("/events"):
            case.call_and_validate(checks=[not_a_server_error], headers=KIOSK)

    trial()
