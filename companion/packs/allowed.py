"""What a field may hold, said in words, and every fault of a table that does not fit."""

from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect


class Fault(msgspec.Struct, frozen=True):
    """One thing wrong: the path of keys to it, and the rest of the sentence."""

    path: tuple[str, ...]
    text: str


def check(value: object, kind: type[msgspec.Struct], path: tuple[str, ...] = ()) -> Iterator[Fault]:
    """Every fault of a table that is to become this struct: unknown keys, missing ones, values out of range."""
    if not isinstance(value, dict):
        yield Fault(path, f"is {show(value)}; it must be a table of {', '.join(kind.__struct_fields__)}")
        return
    hints = get_type_hints(kind, include_extras=True)
    for key in value:
        if key not in hints:
            yield Fault((*path, str(key)), f"is not known here; known are {', '.join(hints)}")
    for field in msgspec.structs.fields(kind):
        if field.name in value:
            yield from _value((*path, field.name), value[field.name], hints[field.name])
        elif field.required:
            yield Fault((*path, field.name), f"is missing; it must be {words(hints[field.name])}")


def _value(path: tuple[str, ...], value: object, annotation: Any) -> Iterator[Fault]:
    within = list(_within(path, value, _plain(annotation)))
    yield from within
    if not within and not _fits(value, annotation):
        yield Fault(path, f"is {show(value)}; it must be {words(annotation)}")


def _within(path: tuple[str, ...], value: object, kind: Any) -> Iterator[Fault]:
    """The faults inside a table or list; whether it fits as a whole is not judged here."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        if isinstance(value, dict):
            yield from check(value, kind, path)
    elif get_origin(kind) is dict and isinstance(value, dict):
        key_kind, item_kind = get_args(kind)
        for key, item in value.items():
            if _fits(key, key_kind):
                yield from _value((*path, key), item, item_kind)
            else:
                yield Fault((*path, str(key)), f"is not known here; it must be {words(key_kind)}")
    elif get_origin(kind) is tuple and get_args(kind)[1:] == (...,) and isinstance(value, list):
        for number, item in enumerate(value, 1):
            yield from _value((*path, str(number)), item, get_args(kind)[0])


def _plain(annotation: Any) -> Any:
    """The type without its bounds, and without None."""
    if get_origin(annotation) is Annotated:
        return _plain(get_args(annotation)[0])
    if isinstance(annotation, UnionType):
        kinds = [part for part in get_args(annotation) if part is not type(None)]
        return _plain(kinds[0]) if len(kinds) == 1 else annotation
    return annotation


def _fits(value: object, annotation: Any) -> bool:
    try:
        msgspec.convert(value, annotation)
    except msgspec.ValidationError:
        return False
    return True


def show(value: object) -> str:
    """A value as it may stand in a sentence: short, and with its quotes."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def words(annotation: Any) -> str:
    """`a whole number from 0 to 10`."""
    return _words(inspect.type_info(annotation))


def _words(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata():
            return _words(kind.type)
        case inspect.IntType():
            return "a whole number" + _between(kind.ge, kind.le)
        case inspect.StrType():
            return "text" + (f" of at most {kind.max_length} characters" if kind.max_length else "")
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType():
            return "one of " + ", ".join(map(str, kind.values))
        case inspect.VarTupleType() | inspect.ListType():
            most = f" of at most {kind.max_length}" if kind.max_length else ""
            return f"a list{most}, each {_words(kind.item_type)}"
        case inspect.DictType():
            return f"a table of {_words(kind.key_type)}, for each {_words(kind.value_type)}"
        case inspect.UnionType():
            return " or ".join(_words(t) for t in kind.types if not isinstance(t, inspect.NoneType))
        case inspect.StructType():
            return "a table of " + ", ".join(field.encode_name for field in kind.fields)
    return "what the pack's page says"


def _between(low: int | None, high: int | None) -> str:
    if low is None and high is None:
        return ""
    if high is None:
        return f" of {low} or more"
    return f" from {low} to {high}" if low is not None else f" up to {high}"
