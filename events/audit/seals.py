"""Every secret under its seal: as declared, with the right salt, opened once and in full."""

from collections.abc import Iterator
from typing import Any

from domain.hashing import keyed
from domain.kernel import Event
from domain.visibility import Audience, secret_fields
from events.audit.keys import (
    ROOT,
    Place,
    SealedPart,
    Secrets,
    is_number,
    parts_in,
    read_hash,
    seals_in,
)
from events.audit.parsing import Line
from events.audit.report import Failed, NotRevealed, entry
from events.log.entry import canonical, known_types, sealed


def check_seals(lines: list[Line], secrets: Secrets, *, whole: bool) -> str:
    """Every secret sealed as declared, every value that is out under its seal, every opening whole.

    `whole`: once the game is finished, each line must itself know all its sealed parts.
    """
    finished = lines[-1].head.type == "game.finished"
    types, seats = known_types(), len(lines[0].data["seats"])
    secret_draw: int | None = None
    closed: dict[Place, SealedPart] = {}
    for line in lines:
        with entry(line.version):
            kind = types[line.head.type]
            if "draw" in line.data and _seals_under_its_draw(kind):
                secret_draw = line.data["draw"]["number"]
            parts = {part.path: part for part in parts_in(line)}
            _check_declared(line, kind, parts, secret_draw, seats)
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


def _seals_under_its_draw(kind: type[Event]) -> bool:
    return any(audience.until == "draw" for _, audience in secret_fields(kind))


def _check_declared(
    line: Line, kind: type[Event], parts: dict[str, SealedPart], draw: int | None, seats: int
) -> None:
    if line.head.schema < kind.schema:
        return
    declared: set[str] = set()
    for name, audience in secret_fields(kind):
        for path, to in _audience(line.data, name, audience, seats):
            until: int | str = draw if audience.until == "draw" and draw is not None else "game"
            declared.add(path)
            part = parts.get(path)
            if part is None:
                raise Failed(line.version, f"{path} is secret and is not sealed")
            read_hash(part.seal)
            if canonical([part.to, part.until]) != canonical([to, until]):
                raise Failed(
                    line.version,
                    f"{path} is not sealed for whom and until when its type declares",
                    expected={"to": to, "until": until},
                    found={"to": part.to, "until": part.until},
                )
    if parts.keys() != declared or seals_in(line.data) != len(declared):
        raise Failed(
            line.version,
            "there is a sealed part where none belongs",
            expected=sorted(declared),
            found=sorted(parts),
        )


def _audience(
    data: dict[str, Any], name: str, audience: Audience, seats: int
) -> Iterator[tuple[str, list[Any]]]:
    """The paths under which a secret field must be sealed, and for whom."""
    match audience.to:
        case "each-seat":
            for seat in _items(data[name], seats):
                yield f"/{name}/{seat}", [seat]
        case "opener":
            script = data["script"]
            for index in _items(data[name], 0 if script is None else script["deals"]):
                yield f"/{name}/{index}", ["opener"]
        case "its-seat":
            if not any(is_number(data["seat"], seat) for seat in range(seats)):
                raise ValueError("there is no such seat")
            yield f"/{name}", [data["seat"]]
        case _:
            yield f"/{name}", []


def _items(value: Any, number: int) -> range:
    if not isinstance(value, list) or not is_number(len(value), number):
        raise ValueError(f"a list of {number} sealed parts is due")
    return range(number)


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
    opened = line.data["parts"]
    stated = [{"path": path, "value": None, "version": version} for version, path in due]
    if canonical([part | {"value": None} for part in opened]) != canonical(stated):
        raise Failed(
            line.version,
            "the parts opened are not those that were sealed until now, in their order",
            expected=[list(place) for place in due],
            found=[[part["version"], part["path"]] for part in opened],
        )
    for place, one in zip(due, opened, strict=True):
        part = closed.pop(place)
        salt = _salt(part, secrets)
        if salt is None:
            raise Failed(line.version, f"{part.path} of entry {part.version} is opened by no link")
        _check_seal(line.version, part, salt, one["value"], secrets)


def _salt(part: SealedPart, secrets: Secrets) -> bytes | None:
    key = secrets.key(part.until)
    return None if key is None else keyed(key, "salt", secrets.game, part.version, part.path)
