"""The host's settings: one TOML file, every value with a default, every mistake said in one sentence with its line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from companion.keeping import write_safely
from companion.umpire import CompanionError

if TYPE_CHECKING:
    from companion.packs.source import Source

Offset = Annotated[float, msgspec.Meta(ge=-10, le=10)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class ConfigError(CompanionError, ValueError):
    """The settings file cannot be used as it is."""


class DiceConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A source of real dice. `port` by id (`/dev/serial/by-id/...`) or USB ids; `table` binds it to one table.

    `settings` are those of the format, as `companion dice teach` prints them. `dice` tells the kind of each die by
    its name on the wire, as `{w = "d6", t = "d20"}`. `settle` in seconds is for dice that report while they roll.
    """

    name: Name
    kind: Literal["serial", "gpio", "software"] = "serial"
    port: str = ""
    format: str = "reference"
    baud: int = 115200
    pattern: str = ""
    settings: dict[str, str | float | list[str]] = {}
    pins: dict[str, int] = {}
    dice: dict[str, str] = {}
    settle: Annotated[float, msgspec.Meta(ge=0, le=10)] = 0.0
    table: str = ""


class PrinterConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A printer. `address`: `tcp://HOST:9100`, `usb:/dev/usb/lp0`, `serial:/dev/ttyUSB0@19200`, `file:DIR`.

    `columns`, `dots`, `code_pages`, `native_qr`, `cutter` and `head_to_cutter_mm` are read off a calibration slip.
    """

    name: Name
    address: str
    profile: str = ""
    paper: Literal[58, 80] = 58
    native_qr: bool = False
    columns: Annotated[int, msgspec.Meta(ge=16, le=96)] | None = None
    dots: Annotated[int, msgspec.Meta(ge=128, le=2048)] | None = None
    cutter: Literal["none", "partial", "full"] | None = None
    head_to_cutter_mm: Annotated[float, msgspec.Meta(ge=0, le=60)] | None = None
    code_pages: list[str] = []
    table: str = ""


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a host may set. `hold` in seconds; `public_url` when phones reach the Pi by another name.

    `fallback` is for dice that no source has: typed or rolled on the page, or drawn by the system at once.
    `back_offset_mm` moves the backs of sheets in PDFs, to the right and down.
    """

    data: str = "data"
    host: str = "0.0.0.0"
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)] = 8080
    public_url: str = ""
    trusted_proxies: list[str] = []
    wifi_name: str = ""
    wifi_password: Annotated[str, msgspec.Meta(max_length=63)] = ""
    pin: str = ""
    hold: Annotated[float, msgspec.Meta(ge=0, le=30)] = 1.5
    slips: Literal["each", "engagement", "asked", "off"] = "each"
    fallback: Literal["page", "software"] = "page"
    back_offset_mm: tuple[Offset, Offset] = (0.0, 0.0)
    theme: Literal["dark", "light", "sunlight"] = "dark"
    dice: list[DiceConfig] = []
    printers: list[PrinterConfig] = []

    @property
    def folder(self) -> Path:
        return Path(self.data).expanduser()


def load(file: Path | None) -> Config:
    """The settings of a file, or the defaults without one."""
    if file is None:
        return Config()
    try:
        from companion.packs.source import read_source

        source = read_source(file)
    except CompanionError as error:
        raise ConfigError(str(error)) from None
    try:
        config = msgspec.convert(source.data, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(_sentence(source, str(error))) from None
    _check_twice(source, config)
    return config


class Loaded(msgspec.Struct, frozen=True):
    """Settings to run with, and what the host must be told about them."""

    config: Config
    notices: tuple[str, ...] = ()


def load_or_last_good(file: Path | None, override: str | None = None) -> Loaded:
    """As `load`; a file that has become wrong is replaced by the last one that was right, and that is said aloud.

    Raises ConfigError where there has never been a right one.
    """
    try:
        config = load(file)
    except ConfigError as error:
        return _last_good(file, override, error)
    if file is not None:
        _remember(file, data_folder(config, override))
    return Loaded(config)


def in_effect(file: Path | None, override: str | None) -> Config:
    """The settings of the file with what was touched in on pages; raises ConfigError."""
    from companion import touched

    config = load(file)
    return touched.applied(config, touched.read(data_folder(config, override)))


def _last_good(file: Path | None, override: str | None, error: ConfigError) -> Loaded:
    assert file is not None
    for copy in _copies(file, data_folder(Config(), override)):
        try:
            config = load(copy) if copy.exists() else None
        except ConfigError:
            continue
        if config is not None:
            return Loaded(config, (f"{error} The last settings that were right are in use ({copy.name}).",))
    raise error


def _remember(file: Path, folder: Path) -> None:
    """Keep a copy of settings that are right, where there is a place for it."""
    raw = file.read_bytes()
    for copy in _copies(file, folder):
        try:
            if not copy.exists() or copy.read_bytes() != raw:
                copy.parent.mkdir(parents=True, exist_ok=True)
                write_safely(copy, raw)
            return
        except OSError:
            continue


def _copies(file: Path, folder: Path) -> tuple[Path, Path]:
    """Beside the file, else in the data folder: the file's own folder may be closed to the service."""
    name = f"{file.stem}-last-good.toml"
    return file.with_name(name), folder / name


def _sentence(source: Source, text: str) -> str:
    reason, _, place = text.partition(" - at `$")
    path = [p for p in place.rstrip("`").replace("[", ".[").split(".") if p and not p.startswith("[")]
    return f"{source.where(*path)}: {reason[:1].lower()}{reason[1:]}{' in ' + '.'.join(path) if path else ''}."


def _check_twice(source: Source, config: Config) -> None:
    """Two parts may not have one name, nor two dice one pin."""
    for what, names in (("dice", [d.name for d in config.dice]), ("printers", [p.name for p in config.printers])):
        twice = next((n for n in names if names.count(n) > 1), None)
        if twice:
            raise ConfigError(f"{source.where(what)}: two {what} are called {twice!r}; give each its own name.")
    users: dict[int, str] = {}
    for die in config.dice:
        for use, pin in die.pins.items():
            here = f"{die.name}.{use}"
            if pin in users:
                raise ConfigError(
                    f"{source.where('dice')}: pin {pin} is used by {users[pin]} and by {here}; choose another."
                )
            users[pin] = here


def shown(config: Config) -> str:
    """What is in effect, as JSON with secrets masked."""
    plain = msgspec.to_builtins(config)
    for secret in ("pin", "wifi_password"):
        plain[secret] = "set" if plain[secret] else "not set"
    return msgspec.json.format(msgspec.json.encode(plain), indent=2).decode()


def data_folder(config: Config, override: str | None) -> Path:
    """From the command line, the environment, the settings, in this order."""
    chosen = override or os.environ.get("COMPANION_DATA") or config.data
    return Path(chosen).expanduser().resolve()
