"""Whom the server listens to. Programs call it by a name it has; web pages are let in one by one.

A page in a browser can send requests to a server on the same machine in two ways: straight, and then the browser names
the page in `Origin`; or under a name of its own that it points at this machine, and then that name stands in `Host`.
Both are judged before anything else is read. Neither header is sent by an SDK to deceive: browsers write them.
"""

from __future__ import annotations

import re
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

from tablewright.errors import RequestError, service_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from ipaddress import IPv4Address

    from tablewright.errors import ServiceError

ANY = "*"
CORS_SECONDS = "172800"
EXPOSED = "x-amzn-RequestId, x-amz-crc32"
LOCAL_NAME = "localhost"

AUTHORITY = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s,:/?#@\[\]]+))(?::[0-9]{0,5})?")
NAME = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?")
ORIGIN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:\[[0-9A-Fa-f:.]+\]|[^\s,:/?#@\[\]]+)(?::[0-9]{1,5})?")
WHOLE_URL = re.compile(r"https?://([^/?#]*)", re.IGNORECASE)


class Admission:
    """The hosts a server may be called by, and the origins whose pages may ask.

    A server for other machines may be called by any address: an address cannot be pointed elsewhere, as a name can.
    """

    def __init__(self, host: str, *, hosts: Iterable[str] = (), origins: Iterable[str] = ()) -> None:
        bound = host.strip("[]").lower()
        self.names = frozenset({LOCAL_NAME, bound, *(_checked_host(each) for each in hosts)} - {""})
        self.takes_addresses = bound != LOCAL_NAME and not _is_loopback(bound)
        self.origins = frozenset(_checked_origin(each) for each in origins)

    def check(self, headers: Mapping[str, str], target: str) -> str | None:
        """The origin of the page that asks, None for a program; raises when they are not welcome."""
        host = headers.get("host")
        if host is not None:  # only clients from before HTTP/1.1 leave it out, and browsers never do
            self._check_host(host)
        whole = None if target.startswith("/") else WHOLE_URL.match(target)
        if whole is not None:
            self._check_host(whole[1])
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self.origins and ANY not in self.origins:
            raise _denied(f"no page of Origin {origin!r} may ask; to let it in, start with --cors {origin or 'ORIGIN'}")
        return origin

    def _check_host(self, given: str) -> None:
        if given in self.names:
            return
        host = _host_of(given)
        if host not in self.names and not self._is_address(host):
            raise _denied(f"Host {host!r} is no name of this server; to give it one, start with --allow-host {host}")

    def _is_address(self, host: str) -> bool:
        address = _address_of(host)
        return address is not None and (self.takes_addresses or _is_loopback(host))


def _denied(message: str) -> ServiceError:
    return service_error("AccessDeniedException", message)


def _host_of(given: str) -> str:
    """The name or address in a Host header, without port; what cannot be one stays as it is."""
    found = AUTHORITY.fullmatch(given)
    return given if found is None else (found[1] or found[2]).lower().removesuffix(".")


def _address_of(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _is_loopback(host: str) -> bool:
    address = _address_of(host)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return address is not None and address.is_loopback


# ---- what the one who serves says ------------------------------------------------------------------------------------


def _checked_host(name: str) -> str:
    address = _address_of(name.strip("[]"))
    if address is not None:
        return str(address)
    if NAME.fullmatch(name) is None:
        raise RequestError(f"{name!r} is not the name of a host, such as dynamodb or db.example.com, without port")
    return name.lower().removesuffix(".")


def _checked_origin(origin: str) -> str:
    if origin not in (ANY, "null") and ORIGIN.fullmatch(origin) is None:
        told = "write scheme, host and port as browsers do, such as http://localhost:3000, or * for every page"
        raise RequestError(f"{origin!r} is not an origin; {told}")
    return origin.lower()


# ---- what pages are told ---------------------------------------------------------------------------------------------


def for_page(origin: str) -> dict[str, str]:
    """The headers by which a browser lets a page read an answer."""
    return {"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": EXPOSED, "Vary": "Origin"}


def for_preflight(origin: str, headers: Mapping[str, str]) -> dict[str, str]:
    """What a browser asks before it lets a page talk to us."""
    told = {"Access-Control-Allow-Origin": origin, "Access-Control-Max-Age": CORS_SECONDS, "Vary": "Origin"}
    for asked, allowed in (("headers", "Headers"), ("method", "Methods"), ("private-network", "Private-Network")):
        given = headers.get(f"access-control-request-{asked}")
        if given is not None:
            told[f"Access-Control-Allow-{allowed}"] = given
    return told
