"""What happens to the file of a log on its way: other line ends, packing, a cut. No forgery."""

from contextlib import suppress

import msgspec

_GZIP = b"\x1f\x8b"
_UTF_8_MARK = b"\xef\xbb\xbf"
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def damage(log: bytes) -> str | None:
    """What the file of a log has suffered, and what to do; None where it can be taken as it is.

    No log that is as it was exported is taken for one of these.
    """
    if log.startswith(_GZIP):
        return "It is packed by gzip. Unpack it first."
    if log.startswith(_UTF_16_MARKS) or b"\x00" in log[:4]:
        return "It is UTF-16 text. Save it as UTF-8 without a byte order mark."
    if log.startswith(_UTF_8_MARK):
        return "It begins with a byte order mark. Save it without one."
    if 0 < log.count(b"\n") == log.count(b"\r\n"):
        return "Its lines end with CR LF, as on Windows. Save it with LF alone."
    if log.endswith(b"\n\n"):
        return "It ends with a blank line. Remove it."
    if log.startswith(b"{") and not _is_whole(log[log.rfind(b"\n") + 1 :] or b"{}"):
        return "It is cut off in its last line. Fetch it again."
    return None


def _is_whole(line: bytes) -> bool:
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        msgspec.json.decode(line)
        return True
    return False
