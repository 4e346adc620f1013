"""What proxies in front of us have changed: our path, and the address of a client."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from werkzeug.middleware.proxy_fix import ProxyFix

from service.settings import PATH_PREFIX

Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


def behind_proxies(app: Wsgi, prefix: str, proxies: int) -> Wsgi:
    """An app whose links lead below `prefix`, whether or not that is in the paths it is asked for.

    Of this many `proxies` X-Forwarded-For is believed, and of the nearest X-Forwarded-Prefix, which
    then goes before `prefix`.
    """

    def mounted(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        told = environ.get("SCRIPT_NAME", "").rstrip("/")
        root = told if re.fullmatch(PATH_PREFIX, told) else prefix
        environ["SCRIPT_NAME"] = root
        if root and environ["PATH_INFO"].startswith(f"{root}/"):
            environ["PATH_INFO"] = environ["PATH_INFO"].removeprefix(root)
        return app(environ, start_response)

    if not proxies:
        return mounted
    return ProxyFix(mounted, x_for=proxies, x_proto=0, x_prefix=1)
