"""What may stand in a proxy's URL."""

from __future__ import annotations

import pytest

from tablewright.errors import RequestError
from tablewright.runtime.transports.aws.proxies import read_proxy


@pytest.mark.parametrize("scheme", ["socks5", "socks5h", "ftp", "https"])
def test_proxies_of_other_schemes_are_refused(scheme: str) -> None:
    with pytest.raises(RequestError, match=f"reached by {scheme}, which") as refused:
        read_proxy(f"{scheme}://user:password@proxy.example:1080")
    assert "password" not in str(refused.value)


@pytest.mark.parametrize("url", ["http://proxy.example:3128", "//proxy.example:3128", "proxy.example:3128"])
def test_proxies_of_http_are_read(url: str) -> None:
    found = read_proxy(url)
    assert (found.host, found.port) == ("proxy.example", 3128)
