"""A PostgreSQL of our own on a free loopback port, in a folder that goes away with it."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

FAST = ["-c", "fsync=off", "-c", "shared_buffers=64MB", "-c", "max_connections=200"]


def binaries() -> Path | None:
    """The newest server's programs, on the path or where Debian puts them."""
    found = [Path(place).parent for place in [shutil.which("initdb")] if place]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: -float(folder.parent.name))
    return next((folder for folder in found if all((folder / name).exists() for name in ("postgres", "pg_ctl"))), None)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A running server. `stop` and `start` may be called in between."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self._programs, self.port = folder, programs, free_port()
        self._as: dict[str, object] = {}
        if os.getuid() == 0:  # the server refuses to run as root
            owner = pwd.getpwnam("postgres")
            self._as = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
            os.chown(folder, owner.pw_uid, owner.pw_gid)

    def run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments], cwd=self.folder, check=True, capture_output=True, timeout=60, **self._as
        )  # type: ignore[call-overload]

    def start(self) -> None:
        address = ["-c", "listen_addresses=127.0.0.1", "-p", str(self.port), "-k", str(self.folder)]
        self.run("pg_ctl", "-D", str(self.folder / "db"), "-w", "-l", str(self.folder / "log"), "-o", " ".join(address + FAST), "start")

    def stop(self, how: str = "fast") -> None:
        self.run("pg_ctl", "-D", str(self.folder / "db"), "-w", "-m", how, "stop")

    def url(self, name: str) -> str:
        """Makes an empty database and returns its address."""
        import psycopg

        address = f"postgresql://leavebot@127.0.0.1:{self.port}/"
        with psycopg.connect(f"{address}postgres", autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return address + name


@contextmanager
def postgres() -> Iterator[Server]:
    """A running server; skips, with the reason, where there is none."""
    pytest.importorskip("psycopg", reason="psycopg is not installed (leavebot[postgres])")
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="leavebot-pg-"))
    server = Server(folder, programs)
    try:
        server.run("initdb", "-D", str(folder / "db"), "-U", "leavebot", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        server.start()
        yield server
    finally:
        if (folder / "db" / "postmaster.pid").exists():
            server.stop("immediate")
        shutil.rmtree(folder)
