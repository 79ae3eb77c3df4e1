"""What can be asked of the machine: the only part of the doctor that touches it."""

from __future__ import annotations

import glob
import grp
import importlib.util
import os
import shutil
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path

LARGEST = 200_000


class Facts:
    """Files, commands and surroundings of this process. Nothing here raises: what cannot be known is empty."""

    @property
    def env(self) -> Mapping[str, str]:
        return os.environ

    @property
    def bits(self) -> int:
        return struct.calcsize("P") * 8

    @property
    def hostname(self) -> str:
        return socket.gethostname()

    @property
    def prefix(self) -> str:
        """The environment that runs, where it is one of its own; else ''."""
        return sys.prefix if sys.prefix != sys.base_prefix else ""

    def raw(self, path: str) -> bytes:
        try:
            with open(path, "rb") as file:
                return file.read(LARGEST)
        except OSError:
            return b""

    def read(self, path: str) -> str:
        return self.raw(path).decode("utf-8", "replace").replace("\0", "")

    def glob(self, pattern: str) -> Sequence[str]:
        return sorted(glob.glob(os.path.expanduser(pattern)))

    def exists(self, path: str) -> bool:
        return os.path.exists(path)

    def real(self, path: str) -> str:
        return os.path.realpath(path)

    def usable(self, path: str) -> bool:
        """Whether this user may read and write there."""
        return os.access(path, os.R_OK | os.W_OK)

    def mode(self, path: str) -> int | None:
        try:
            return os.stat(path).st_mode & 0o777
        except OSError:
            return None

    def group_of(self, path: str) -> str:
        try:
            return grp.getgrgid(os.stat(path).st_gid).gr_name
        except (OSError, KeyError):
            return ""

    def which(self, program: str) -> bool:
        return shutil.which(program) is not None

    def run(self, *command: str) -> str:
        """What a command says, '' where it is not there, fails or takes more than five seconds."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False, errors="replace")
        except (OSError, subprocess.SubprocessError):
            return ""
        return done.stdout[:LARGEST] if done.returncode == 0 else ""

    def version(self, distribution: str) -> str:
        try:
            return metadata.version(distribution)
        except metadata.PackageNotFoundError:
            return ""

    def source_of(self, module: str) -> str | None:
        """The text of an installed module without running it; None where it is not installed."""
        try:
            spec = importlib.util.find_spec(module)
        except (ImportError, ValueError):
            return None
        return None if spec is None or not spec.origin else self.read(spec.origin)

    @property
    def cwd(self) -> str:
        try:
            return os.getcwd()
        except OSError:
            return ""

    def folder_files(self, folder: str) -> Mapping[str, int]:
        """The files of a folder with their sizes."""
        try:
            return {p.name: p.stat().st_size for p in Path(folder).iterdir() if p.is_file()}
        except OSError:
            return {}
