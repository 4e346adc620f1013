"""Every secret under its seal: as declared, with the right salt, opened once and in full."""

from collections.abc import Iterator
from typing import Any

from domain.kernel import Event
from domain.tagged import keyed
from domain.visibility import Audience, secret_fields
from events.auditing.lines import Line
from events.auditing.report import Failed, NotRevealed, Unsupported, entry
from events.auditing.secrets import ROOT, Place, SealedPart, Secrets, parts_in, read_hash
from events.entry import known_types, sealed


def check_seals(lines: list[Line], secrets: Secrets, *, whole: bool) -> str:
    """Every secret sealed as declared, every value that is out under its seal, every opening whole.

    `whole`: once the game is finished, each line must itself know all its sealed parts.
    """
    finished = lines[-1].head.type == "game.finished"
    types = known_types()
    secret_draw: int | None = None
    closed: dict[Place, SealedPart] = {}
    for line in lines:
        with entry(line.version):
            draw = line.data.get("draw")
            if isinstance(draw, dict):
                secret_draw = None if draw.get("link") else draw["number"]
            parts = {part.path: part for part in parts_in(line)}
            _check_declared(line, types.get(line.head.type), parts, secret_draw)
            _check_known(line, parts, secrets, whole=whole and finished)
            closed |= {part.place: part for part in parts.values()}
            if line.head.type == "game.deal-revealed":
                secret_draw = None
                _check_opened(line, closed, line.data["draw"], secrets)
            elif line.head.type == "game.finished":
                _check_root(line, closed, secrets)
                _check_opened(line, closed, None, secrets)
    if closed:
        raise NotRevealed(
            f"{len(secrets.parts) - len(closed)} parts are open, {len(closed)} still sealed"
        )
    return f"{len(secrets.parts)} parts"


def _check_declared(
    line: Line, kind: type[Event] | None, parts: dict[str, SealedPart], draw: int | None
) -> None:
    if kind is None or line.head.schema > kind.schema:
        raise Unsupported(line.version, f"unknown event {line.head.type} {line.head.schema}")
    if line.head.schema < kind.schema:
        return
    declared: set[str] = set()
    for name, audience in secret_fields(kind):
        for path, to in _audience(line.data, name, audience):
            until: int | str = draw if audience.until == "draw" and draw is not None else "game"
            declared.add(path)
            part = parts.get(path)
            if part is None:
                raise Failed(line.version, f"{path} is secret and is not sealed")
            if part.to != to or part.until != until or type(part.until) is not type(until):
                raise Failed(
                    line.version,
                    f"{path} is not sealed for whom and until when its type declares",
                    expected={"to": to, "until": until},
                    found={"to": part.to, "until": part.until},
                )
    if stray := parts.keys() - declared:
        raise Failed(line.version, f"{min(stray)} is public and is sealed")


def _audience(
    data: dict[str, Any], name: str, audience: Audience
) -> Iterator[tuple[str, list[Any]]]:
    """The paths under which a secret field must be sealed, and for whom."""
    if audience.to in {"each-seat", "opener"}:
        for index in range(len(data[name])):
            yield f"/{name}/{index}", ["opener" if audience.to == "opener" else index]
    else:
        yield f"/{name}", [data["seat"]] if audience.to == "its-seat" else []


def _check_known(
    line: Line, parts: dict[str, SealedPart], secrets: Secrets, *, whole: bool
) -> None:
    known = {k.path: k for k in line.known}
    if stray := known.keys() - parts.keys():
        raise Failed(line.version, f"{min(stray)} is known and is no sealed part")
    if whole and (lacking := parts.keys() - known.keys()):
        raise Failed(line.version, f"the value of {min(lacking)} is lacking")
    for path, value in known.items():
        part = parts[path]
        _check_salt(part, value.salt, secrets)
        _check_seal(line.version, part, bytes.fromhex(value.salt), value.value, secrets)


def _check_salt(part: SealedPart, salt: str, secrets: Secrets) -> None:
    derived = _salt(part, secrets)
    if derived is not None and salt != derived.hex():
        raise Failed(
            part.version,
            f"the salt of {part.path} is not derived from its key",
            expected=derived.hex(),
            found=salt,
        )


def _check_seal(version: int, part: SealedPart, salt: bytes, value: Any, secrets: Secrets) -> None:
    seal = sealed(secrets.game, salt, value)
    if part.seal != seal:
        raise Failed(
            version,
            f"the value of {part.path} of entry {part.version} is not the one that was sealed",
            expected=part.seal,
            found=seal,
        )


def _check_root(line: Line, closed: dict[Place, SealedPart], secrets: Secrets) -> None:
    """The root has a field of its own; it is not among the opened parts."""
    part = closed.pop(ROOT, None)
    if part is None:
        raise Failed(1, "the first entry does not seal the root")
    salt = keyed(read_hash(line.data["root"]), "salt", secrets.game, *ROOT)
    _check_seal(line.version, part, salt, line.data["root"], secrets)


def _check_opened(
    line: Line, closed: dict[Place, SealedPart], until: int | None, secrets: Secrets
) -> None:
    """Exactly the parts that `until` opens (None: all that are left), with the values sealed."""
    due = [place for place, part in closed.items() if until is None or part.until == until]
    opened = {(part["version"], part["path"]): part["value"] for part in line.data["parts"]}
    if len(opened) != len(line.data["parts"]) or opened.keys() != set(due):
        raise Failed(
            line.version,
            "the parts opened are not those that were sealed until now",
            expected=[list(place) for place in due],
            found=[[part["version"], part["path"]] for part in line.data["parts"]],
        )
    for place, value in opened.items():
        part = closed.pop(place)
        if (salt := _salt(part, secrets)) is not None:
            _check_seal(line.version, part, salt, value, secrets)


def _salt(part: SealedPart, secrets: Secrets) -> bytes | None:
    key = secrets.key(part.until)
    return None if key is None else keyed(key, "salt", secrets.game, part.version, part.path)
