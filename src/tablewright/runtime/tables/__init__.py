"""Tables made, compared with what is declared, waited for and deleted; each as an operation that any database runs.

This is the door of the room. Tables are made rarely, so the modules behind it are imported by whoever makes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tablewright.runtime.requests.request import Operation
    from tablewright.runtime.tables.declared import AnyService
    from tablewright.runtime.tables.difference import Difference
    from tablewright.runtime.tables.settings import TableSettings


def create_table(
    service: AnyService, settings: TableSettings, *, wait: bool, timeout_seconds: float
) -> Operation[None]:
    from tablewright.runtime.tables.create import CreateTable
    from tablewright.runtime.tables.settings import read_settings

    return CreateTable(service, read_settings(settings), wait, timeout_seconds)


def check_table(service: AnyService, settings: TableSettings) -> Operation[list[Difference]]:
    from tablewright.runtime.tables.check import CheckTable
    from tablewright.runtime.tables.settings import read_settings

    return CheckTable(service, read_settings(settings))


def wait_for_table(service: AnyService, timeout_seconds: float) -> Operation[None]:
    from tablewright.runtime.tables.wait import WaitForTable

    return WaitForTable(service, timeout_seconds)


def delete_table(service: AnyService, timeout_seconds: float) -> Operation[None]:
    from tablewright.runtime.tables.wait import DeleteTable

    return DeleteTable(service, timeout_seconds)
