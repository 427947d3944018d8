"""Certificates of the tests' own, made by the command openssl."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Certificate:
    """A certificate with its key, and the authority that signed it, as files."""

    authority: Path
    certificate: Path
    key: Path

    @property
    def settings(self) -> dict[str, str]:
        """Ray's settings that have its nodes talk by TLS with it."""
        return {
            "RAY_USE_TLS": "1",
            "RAY_TLS_CA_CERT": str(self.authority),
            "RAY_TLS_SERVER_CERT": str(self.certificate),
            "RAY_TLS_SERVER_KEY": str(self.key),
        }


def certificate(folder: Path, *addresses: str) -> Certificate:
    """A certificate for these addresses from an authority of its own."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder.mkdir(parents=True)
    made = Certificate(folder / "ca.pem", folder / "node.pem", folder / "node.key")
    authority_key = folder / "ca.key"
    _make(made.authority, authority_key, "authority", "basicConstraints=critical,CA:TRUE")
    names = ",".join(f"IP:{address}" for address in addresses)
    signed = ["-CA", str(made.authority), "-CAkey", str(authority_key)]
    _make(made.certificate, made.key, "node", f"subjectAltName={names}", *signed)
    return made


def _make(certificate: Path, key: Path, name: str, extension: str, *more: str) -> None:
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", f"/CN={name}", "-addext", extension, "-keyout", str(key), *more]
    subprocess.run([*command, "-out", str(certificate)], check=True, capture_output=True)
