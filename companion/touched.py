"""Settings that were touched in on a page: kept in the data folder, for the settings file is closed to the service.

They go before the settings file, name by name. Without the file everything is as the settings file says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion.config import Config, ConfigError, DiceConfig
from companion.keeping import write_safely

NAME = "touched.toml"
_HEAD = "# Touched in on the pages; goes before the settings file. Delete a line, or all, to take it back.\n"
_LISTS = ("dice", "printers")
_SINGLE = ("pin", "wifi_name", "wifi_password", "back_offset_mm")


def read(folder: Path) -> dict[str, Any]:
    """What was touched in; nothing where nothing was. Raises ConfigError."""
    import tomllib

    try:
        text = (folder / NAME).read_text("utf-8")
        found = tomllib.loads(text)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(f"{folder / NAME}: {error}. Delete it, and touch the settings in again.") from None
    return {key: value for key, value in found.items() if key in (*_LISTS, *_SINGLE)}


def applied(config: Config, touched: Mapping[str, Any]) -> Config:
    """The settings with what was touched in. What was read off a printer that they do not name any more is left
    out. Raises ConfigError where a value cannot be.
    """
    plain = msgspec.to_builtins(config)
    plain |= {key: touched[key] for key in _SINGLE if key in touched}
    for which in _LISTS:
        parts = {part["name"]: part for part in plain[which]}
        for own in touched.get(which, []):
            if own.get("name") in parts:
                parts[own["name"]] |= own
            elif which == "dice" or "address" in own:
                parts[str(own.get("name"))] = own
        plain[which] = list(parts.values())
    try:
        return msgspec.convert(plain, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{NAME}: {str(error).rstrip('.')}. Delete that line.") from None


def with_part(touched: Mapping[str, Any], which: str, own: Mapping[str, Any]) -> dict[str, Any]:
    """With these values for the part of that name; the rest stays."""
    parts = {part["name"]: part for part in touched.get(which, [])}
    parts[own["name"]] = {**parts.get(own["name"], {}), **own}
    return {**touched, which: list(parts.values())}


def die_part(die: DiceConfig) -> dict[str, Any]:
    """A source of dice as a part of the file: only what is not as it is by itself."""
    fresh = msgspec.to_builtins(DiceConfig(die.name))
    plain = msgspec.to_builtins(die)
    return {key: value for key, value in plain.items() if key == "name" or value != fresh[key]}


def write(folder: Path, touched: Mapping[str, Any]) -> None:
    """Raises OSError where there is no room; what could not be read again is never written."""
    import tomllib

    single = [f"{key} = {_toml(touched[key])}" for key in _SINGLE if key in touched]
    parts = [part for which in _LISTS for row in touched.get(which, []) for part in ("", f"[[{which}]]", *rows(row))]
    text = _HEAD + "\n".join([*single, *parts]) + "\n"
    tomllib.loads(text)
    write_safely(folder / NAME, text.encode())


def rows(row: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_toml(value)}" for key, value in row.items() if value is not None]


def _toml(value: Any) -> str:
    """JSON writes texts, numbers, truths and lists as TOML does."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(own)}" for key, own in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
