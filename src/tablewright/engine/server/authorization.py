"""Who asks, and whether the signature has its form. Signatures are not verified: every secret key is welcome."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs

from tablewright.errors import service_error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.errors import ServiceError

ALGORITHM = "X-Amz-Algorithm"
HEADER_PARTS = ("Credential", "Signature", "SignedHeaders")
USUAL_HEADER = re.compile(r"AWS4-[^ ,]+ Credential=([^ ,]+), ?SignedHeaders=[^ ,]+, ?Signature=[^ ,]+")
SCOPE = ("date", "region", "service", "aws4_request")
QUERY_PARTS = (ALGORITHM, "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date")


class Caller(NamedTuple):
    """The part of a signature that tells databases apart."""

    access_key: str
    region: str


def check_authorization(headers: Mapping[str, str], query: str) -> Caller:
    """The caller, or the service's complaint about the form of the signature."""
    header = headers.get("authorization")
    usual = None if header is None or query else USUAL_HEADER.fullmatch(header)
    if usual is not None and "x-amz-date" in headers:
        return _read_caller(usual[1])
    asked = parse_qs(query, keep_blank_values=True) if ALGORITHM in query else {}
    if header is not None and ALGORITHM in asked:
        found = "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."
        raise service_error("InvalidSignatureException", found)
    if ALGORITHM in asked:
        return _from_query({name: values[0] for name, values in asked.items()})
    if header is None or not header.startswith("AWS4-"):
        raise service_error("MissingAuthenticationTokenException", "Request is missing Authentication Token")
    return _from_header(header, has_date="x-amz-date" in headers or "date" in headers)


def _from_header(header: str, *, has_date: bool) -> Caller:
    parts: dict[str, str] = {}
    for part in header.replace(",", " ").split(" ")[1:]:
        name, _, value = part.partition("=")
        parts[name] = value
    faults = [f"Authorization header requires '{name}' parameter. " for name in HEADER_PARTS if not parts.get(name)]
    if not has_date:
        faults.append("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ")
    if faults:
        raise _incomplete(f"{''.join(faults)}Authorization={header}")
    return _read_caller(parts["Credential"])


def _from_query(parts: Mapping[str, str]) -> Caller:
    faults = [f"AWS query-string parameters must include '{name}'. " for name in QUERY_PARTS if not parts.get(name)]
    if faults:
        raise _incomplete(f"{''.join(faults)}Re-examine the query-string parameters.")
    return _read_caller(parts["X-Amz-Credential"])


def _read_caller(credential: str) -> Caller:
    """`key/date/region/service/aws4_request`: from the right, since a key may hold slashes and nothing else does.

    Of one that lacks parts nobody knows which, so that its region is empty.
    """
    parts = credential.rsplit("/", len(SCOPE))
    return Caller(parts[0], parts[2]) if len(parts) > len(SCOPE) else Caller(credential, "")


def _incomplete(message: str) -> ServiceError:
    return service_error("IncompleteSignatureException", message)
