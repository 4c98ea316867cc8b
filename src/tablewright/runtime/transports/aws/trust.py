"""Whose certificates are trusted: `verify=`, AWS_CA_BUNDLE, the profile's `ca_bundle`, REQUESTS_CA_BUNDLE, and else
the authorities that come with certifi or botocore, as botocore does it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.errors import RequestError

if TYPE_CHECKING:
    import ssl

BUNDLES = ("certifi", "botocore")


def tls_context(verify: bool | str, client_cert: str | tuple[str, str] | None = None) -> ssl.SSLContext:
    """`verify`: True, False, or a file or folder with certificates of authorities."""
    import ssl  # takes its time, which plain connections need not pay

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    if verify is False:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    else:
        _load_authorities(context, verify)
    if client_cert is not None:
        context.load_cert_chain(*([client_cert] if isinstance(client_cert, str) else client_cert))
    return context


def _load_authorities(context: ssl.SSLContext, verify: bool | str) -> None:
    import ssl
    from pathlib import Path

    bundle = bundled_authorities() if verify is True else str(verify)
    if bundle is None:
        context.load_default_certs()
        return
    try:
        if Path(bundle).is_dir():
            context.load_verify_locations(capath=bundle)
        else:
            context.load_verify_locations(cafile=bundle)
    except (OSError, ssl.SSLError) as error:
        raise RequestError(
            f"the certificates in {bundle!r} cannot be read: {error}; "
            "correct verify=, AWS_CA_BUNDLE, REQUESTS_CA_BUNDLE or ca_bundle",
            code=1010,
        ) from error


def bundled_authorities() -> str | None:
    """The file that botocore would take, found without importing anything."""
    from importlib.util import find_spec
    from pathlib import Path

    for name in BUNDLES:
        spec = find_spec(name)
        for place in (spec.submodule_search_locations or ()) if spec is not None else ():
            if (bundle := Path(place) / "cacert.pem").is_file():
                return str(bundle)
    return None
