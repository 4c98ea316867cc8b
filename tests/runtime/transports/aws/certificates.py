"""An authority and a server's certificate, made for one test run."""

from __future__ import annotations

import datetime as dt
import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = dt.timedelta(days=1)
PEM = serialization.Encoding.PEM


@dataclass(frozen=True)
class Certificates:
    """`authority` is the file to trust; `server` and `client` have a key and a certificate."""

    authority: str
    server: str
    client: str

    def server_context(self, *, ask_client: bool = False) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.server)
        if ask_client:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(self.authority)
        return context


def make_certificates(folder: Path) -> Certificates:
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = name("Authority of the tests")
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    root = (
        begun(issuer, issuer, key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .sign(key, hashes.SHA256())
    )
    authority = folder / "authority.pem"
    authority.write_bytes(root.public_bytes(PEM))
    return Certificates(
        str(authority), leaf(folder / "server.pem", issuer, key), leaf(folder / "client.pem", issuer, key)
    )


def leaf(path: Path, issuer: x509.Name, authority: ec.EllipticCurvePrivateKey) -> str:
    key = ec.generate_private_key(ec.SECP256R1())
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        begun(name(path.stem), issuer, key.public_key())
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(authority, hashes.SHA256())
    )
    secret = key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(secret + certificate.public_bytes(PEM))
    return str(path)


def name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def begun(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - DAY)
        .not_valid_after(now + DAY)
    )
