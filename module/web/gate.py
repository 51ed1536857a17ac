"""Where the page lives: its hosts, its address, its cookie."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

_HOST = re.compile(r"(?:([a-z0-9.-]+)|\[([0-9a-f:]+)\])(?::\d{1,5})?")


@dataclass(frozen=True)
class Gate:
    """Where the page lives: allowed host names (without port), its public address if it has one."""

    hosts: frozenset[str]
    public_url: str = ""

    @property
    def https(self) -> bool:
        """Whether employees reach it by https."""
        return self.public_url.startswith("https://")

    @property
    def cookie(self) -> str:
        """The login cookie's name; browsers tie the __Host- prefix to this very host and to https."""
        return "__Host-sid" if self.https else "sid"

    def knows(self, host: str) -> bool:
        """Whether a Host header names us, with or without a port."""
        named = _HOST.fullmatch(host.lower())
        return named is not None and (named[1] or named[2]) in self.hosts

    def own(self, origin: str, host: str) -> bool:
        """Whether an Origin header is our own page."""
        public = urlsplit(self.public_url)
        return origin in ({f"{public.scheme}://{public.netloc}"} if self.public_url else {f"http://{host}"})
