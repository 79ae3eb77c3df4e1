"""The wheel serves the demonstration from a bare environment, far from the checkout."""

from __future__ import annotations

import http.client
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.e2e.daemon import ROOT, free_port, until


def test_a_bare_environment_serves_the_demonstration(tmp_path: Path) -> None:
    source = _source(tmp_path / "source")
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path / "wheel"), str(source)]
    subprocess.run(pip, check=True, cwd=tmp_path)
    (wheel,) = (tmp_path / "wheel").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert not [n for n in names if n.startswith("tests")]
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(tmp_path / "env/bin/python"), "install", "-q", "--no-compile"]
    subprocess.run([*pip, str(wheel)], check=True, cwd=tmp_path)
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")} | {"HOME": str(tmp_path)}
    companion = str(tmp_path / "env/bin/companion")
    listed = subprocess.run([companion, "games"], check=True, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert "aod" in listed.stdout
    port = free_port()
    log = (tmp_path / "log").open("wb")
    serve = [companion, "serve", "--demo", "--data", str(tmp_path / "data"), "--port", str(port)]
    process = subprocess.Popen(serve, cwd=tmp_path, env=env, stdout=log, stderr=log)
    try:
        assert "Age of Dogfights" in until(lambda: _page(port, "/"), 60, "the first page")
        assert "<svg" in _page(port, "/static/icon.svg")
        assert ":root" in _page(port, "/static/companion.css")
        assert "EventSource" in _page(port, "/static/companion.js")
    finally:
        process.terminate()
        assert process.wait(30) == 0, (tmp_path / "log").read_text()
    assert (tmp_path / "log").read_text().count("Traceback") == 0


def _source(folder: Path) -> Path:
    """What the wheel is made of, without what earlier builds have left in the checkout."""
    folder.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in ("companion", "drivers", "printouts"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def _page(port: int, path: str) -> str:
    line = http.client.HTTPConnection("localhost", port, timeout=30)
    try:
        line.request("GET", path)
        answer = line.getresponse()
        return answer.read().decode() if answer.status == 200 else ""
    except OSError:
        return ""
    finally:
        line.close()
