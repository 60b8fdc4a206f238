"""Web Push: messages to browsers through their push services (RFC 8030), encrypted for the browser (RFC 8291) and
signed with a key of this server (RFC 8292)."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import json
from typing import Any, Final
from urllib.parse import urlsplit

from wellies.core.errors import WelliesError
from wellies.core.sources import now_millis
from wellies.server.outgoing import post

SECRET_NAME: Final = "push"
LIFE_SECONDS: Final = 86_400
"""How long a push service keeps a message for a browser that is away."""
SIGNED_SECONDS: Final = 12 * 3600
GONE: Final = (404, 410)
"""What a push service answers when a browser no longer takes messages."""


class BadSubscription(WelliesError):
    """A subscription that cannot be used."""


def is_installed() -> bool:
    """Whether the packages of the extra `alerts` for Web Push are there."""
    return importlib.util.find_spec("pywebpush") is not None


def new_key() -> str:
    """A new private key, to be kept."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return to_base64(number.to_bytes(32, "big"))


def public_key(private: str) -> str:
    """The public key of a private one, as browsers want it."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = _private_key(private).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return to_base64(point)


def subscription_id(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()


def check_keys(p256dh: str, auth: str) -> None:
    """BadSubscription unless these can be the keys of a browser."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64(p256dh))
        good = len(from_base64(auth)) == 16
    except ValueError:
        good = False
    if not good:
        raise BadSubscription("The keys of this subscription cannot be used; turn alerts off and on again.")


def send(row: dict[str, Any], message: bytes, private: str, contact: str, *, inside: bool) -> int:
    """Send a message to a browser; returns the status of its push service. For a thread: it waits."""
    from pywebpush import WebPusher

    keys = {"p256dh": row["p256dh"], "auth": row["auth"]}
    encrypted: Any = WebPusher({"endpoint": row["endpoint"], "keys": keys}).encode(message, "aes128gcm")
    place = urlsplit(row["endpoint"])
    claims = {
        "aud": f"{place.scheme}://{place.netloc}",
        "exp": now_millis() // 1000 + SIGNED_SECONDS,
        "sub": contact,
    }
    headers = {
        "authorization": authorization(private, claims),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "ttl": str(LIFE_SECONDS),
        "urgency": "normal",
    }
    return post(row["endpoint"], encrypted["body"], headers, inside=inside)


def _private_key(private: str) -> Any:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(int.from_bytes(from_base64(private), "big"), ec.SECP256R1())


def authorization(private: str, claims: dict[str, Any]) -> str:
    """The header that says who sends a message: a signed token and the public key."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
    from cryptography.hazmat.primitives.hashes import SHA256

    parts = [{"typ": "JWT", "alg": "ES256"}, claims]
    body = ".".join(to_base64(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    signed = decode_dss_signature(_private_key(private).sign(body.encode(), ec.ECDSA(SHA256())))
    signature = to_base64(b"".join(number.to_bytes(32, "big") for number in signed))
    return f"vapid t={body}.{signature}, k={public_key(private)}"


def to_base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
