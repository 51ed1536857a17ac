"""Single sign-on by a proxy in front: it has logged the employee in and names the account in a header."""

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import Scope

from model.settings import Auth

LONGEST = 100


class HeaderLogin:
    """The account in [auth] proxy_header, believed only when the connection comes from [auth] proxy_addresses."""

    def __init__(self, auth: Auth) -> None:
        self._header = auth.proxy_header
        self._networks = [ip_network(address) for address in auth.proxy_addresses]

    def form(self, error: str) -> str:
        """Nothing to fill in: who sees this did not come through the proxy, or has no account there."""
        return '<p class="demo">這裡使用公司的單一登入，請從公司入口網站開啟這個網頁。</p>'

    async def account(self, form: Mapping[str, str], address: str) -> str | None:
        """Nobody: a form cannot log in here."""
        return None

    def named(self, scope: Scope) -> str | None:
        """The account that the proxy names for this request; None from elsewhere, without a name or with two."""
        names = Headers(scope=scope).getlist(self._header)
        if len(names) != 1 or not self._trusted(scope["client"][0] if scope.get("client") else ""):
            return None
        account = names[0].strip()
        return account if 0 < len(account) <= LONGEST else None

    def _trusted(self, peer: str) -> bool:
        try:
            address = ip_address(peer)
        except ValueError:
            return False
        # A socket for both families shows IPv4 as ::ffff:192.0.2.1.
        plain = (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address
        return any(plain in network for network in self._networks)
