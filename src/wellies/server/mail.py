"""E-mail through the SMTP server of the settings."""

from __future__ import annotations

import importlib.util
import re
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from typing import Any, Final

from wellies.core.errors import WelliesError
from wellies.server.settings import Settings

SECONDS: Final = 20.0
LONGEST: Final = 254
_ADDRESS: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")


class MailTrouble(WelliesError):
    """A message was not taken; `for_good`: nor will it be."""

    def __init__(self, message: str, *, for_good: bool) -> None:
        super().__init__(message)
        self.for_good = for_good


def is_installed() -> bool:
    """Whether the package of the extra `alerts` for e-mail is there."""
    return importlib.util.find_spec("aiosmtplib") is not None


def is_address(text: str) -> bool:
    """Whether this can be an e-mail address."""
    return len(text) <= LONGEST and _ADDRESS.fullmatch(text) is not None


def make_mail(settings: Settings, to: str, subject: str, text: str, stop: str = "") -> EmailMessage:
    """A message; `stop` is the address that ends such messages with one click."""
    mail = EmailMessage()
    mail["From"] = settings.mail_from
    mail["To"] = to
    mail["Subject"] = subject
    mail["Date"] = formatdate(localtime=False)
    mail["Message-ID"] = make_msgid(domain=parseaddr(settings.mail_from)[1].rpartition("@")[2] or None)
    mail["Auto-Submitted"] = "auto-generated"
    if stop:
        mail["List-Unsubscribe"] = f"<{stop}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(text)
    return mail


def _options(settings: Settings) -> dict[str, Any]:
    tls = settings.smtp_security == "tls"
    return {
        "hostname": settings.smtp_host,
        "port": settings.smtp_port,
        "timeout": SECONDS,
        "use_tls": tls,
        "start_tls": settings.smtp_security == "starttls",
        "tls_context": None if settings.smtp_security == "none" else ssl.create_default_context(),
        "username": settings.smtp_user or None,
        "password": settings.smtp_password or None,
    }


async def send(settings: Settings, mail: EmailMessage) -> None:
    """Hand a message to the SMTP server. MailTrouble says why it did not take it."""
    import aiosmtplib

    try:
        await aiosmtplib.send(mail, **_options(settings))
    except aiosmtplib.SMTPRecipientsRefused as error:
        raise MailTrouble(f"The mail server does not take messages to this address: {error}.", for_good=True) from error
    except aiosmtplib.SMTPResponseException as error:
        raise MailTrouble(f"The mail server refused: {error}.", for_good=error.code >= 500) from error
    except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
        raise MailTrouble(
            f"The mail server did not answer: {error or type(error).__name__}.", for_good=False
        ) from error


async def check_server(settings: Settings) -> None:
    """Connect to the SMTP server and log in, without sending anything. MailTrouble says why that fails."""
    import aiosmtplib

    options = _options(settings)
    try:
        async with aiosmtplib.SMTP(**options) as server:
            await server.noop()
    except (aiosmtplib.SMTPException, OSError, TimeoutError, ValueError) as error:
        raise MailTrouble(str(error) or type(error).__name__, for_good=False) from error
