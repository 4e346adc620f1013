"""A referee for the board game Hamlet!: the rulebook, the rulings HP-1 to HP-13, the card format.

Written from those three texts alone, without sight of the implementation it judges. Slow and
literal on purpose. A card set is plain dicts, as TOML gives them; it is trusted, not checked.

- load(directory): a CardSet, with the keys `personae` (id to card, in table order),
  `end_of_scene`, `end_of_act` (rows), `endings` (id to lines, both packs), `common` (lines).
- Play(cards, seats, first_player, endings): a game; `endings` has one ending id a seat.
- act, scene: both from 1. When the game is over they stay where it ended.
- current(): the seat whose Scene it is; None when the game is over.
- legal(): the moves open to it, (action ref, choice id or None). Empty when the game is over.
- take(action, choice, dice): one action, and the end of Scene and Act if it is the last of them.
  `dice()` is called once for each die, when it is rolled. ValueError if the move is not legal.
- unmet(action): the requirements that fail now, in the card's order. Only those: whether the
  persona lives, a box is free or the action was taken before is not in it.
- state(): `statuses` (set of checked refs), `tracks` (ref to number), `places` (persona to place
  id), `counters` (set of refs, `polonius.dying`), `boxes` (action ref to checked boxes, 0 where
  it has none), `dead` (set of personae). The dead keep what they had, save counters.
- over(), winners() (ascending; empty for a draw or a running game), and
  reason: None, "endings", "act-five" or "no-action".

Not judged here: the draw of the first First Player (HP-1), the deal of the endings (HP-5).
"""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

CardSet = dict[str, Any]
Move = tuple[str, str | None]
Dice = Callable[[], int]

# The table of the rulebook: actions per Scene in Acts 1 to 5.
ACTIONS_FOR_TWO_OR_THREE = [2, 3, 3, 3, 4]
ACTIONS_FOR_FOUR_OR_MORE = [1, 2, 2, 2, 3]

KEYS_OF_REFS = ["persona", "status", "place", "track", "counter", "action", "higher", "lower"]


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def load(directory: Path) -> CardSet:
    effects = _read(directory / "effects.toml")
    endings = {}
    for pack in ["regular", "difficult"]:
        for ending in _read(directory / "endings" / f"{pack}.toml")["endings"]:
            endings[ending["id"]] = ending["lines"]
    return {
        "personae": {
            persona: _read(directory / "personae" / f"{persona}.toml")
            for persona in _read(directory / "set.toml")["personae"]
        },
        "end_of_scene": effects.get("end_of_scene", []),
        "end_of_act": effects.get("end_of_act", []),
        "endings": endings,
        "common": _read(directory / "endings" / "common.toml")["lines"],
    }


def persona_of(ref: str) -> str:
    return ref.split(".", maxsplit=1)[0]


def refs_in(entry: dict[str, Any]) -> list[str]:
    """The refs and personae that a requirement, or a result that changes one card, names."""
    return [entry[key] for key in KEYS_OF_REFS if key in entry] + entry.get("personae", [])


def within(need: dict[str, Any], number: int) -> bool:
    return need.get("at_least", number) <= number <= need.get("at_most", number)


class Play:
    def __init__(self, cards: CardSet, seats: int, first_player: int, endings: list[str]) -> None:
        if not 2 <= seats <= 8 or len(endings) != seats or not 0 <= first_player < seats:
            raise ValueError("2 to 8 seats, an ending for each, one of them First Player (HP-12)")
        self.cards = cards
        self.seats = seats
        self.first_player = first_player
        self.endings = endings
        self.act = 1
        self.scene = 1
        self.reason: str | None = None
        self._winners: list[int] = []
        self._taken: list[str] = []  # this Scene's actions, without their choices (HP-7)
        self._actions: dict[str, dict[str, Any]] = {}
        self._bars: dict[str, dict[str, Any]] = {}
        self._statuses: set[str] = set()
        self._tracks: dict[str, int] = {}
        self._places: dict[str, str] = {}
        self._counters: set[str] = set()
        self._boxes: dict[str, int] = {}
        self._dead: set[str] = set()
        for persona, card in cards["personae"].items():
            for action in card.get("actions", []):
                self._actions[f"{persona}.{action['id']}"] = action
                self._boxes[f"{persona}.{action['id']}"] = 0
            for track, bar in card.get("tracks", {}).items():
                self._bars[f"{persona}.{track}"] = bar
                self._tracks[f"{persona}.{track}"] = bar["start"]
            if "places" in card:
                self._places[persona] = card["start"]
        self._end_if_nothing_is_possible()

    def over(self) -> bool:
        return self.reason is not None

    def winners(self) -> list[int]:
        return list(self._winners)

    def current(self) -> int | None:
        if self.over():
            return None
        return (self.first_player + self.scene - 1) % self.seats

    def state(self) -> dict[str, Any]:
        return {
            "statuses": set(self._statuses),
            "tracks": dict(self._tracks),
            "places": dict(self._places),
            "counters": set(self._counters),
            "boxes": dict(self._boxes),
            "dead": set(self._dead),
        }

    def unmet(self, action: str) -> list[dict[str, Any]]:
        requires = self._actions[action].get("requires", [])
        return [need for need in requires if not self._holds(need)]

    def legal(self) -> set[Move]:
        if self.over():
            return set()
        possible = [action for action in self._actions if self._possible(action)]
        # HP-7: what was not yet taken this Scene; a repeat only if there is no such action.
        fresh = [action for action in possible if action not in self._taken]
        moves: set[Move] = set()
        for action in fresh or possible:
            choices = self._actions[action].get("choose") or [{"id": None}]
            moves.update((action, choice["id"]) for choice in choices)
        return moves

    def _possible(self, action: str) -> bool:
        """HP-7: its persona lives, its requirements hold, a box is free if it has boxes."""
        if persona_of(action) in self._dead:
            return False
        boxes = self._actions[action].get("boxes", 0)
        if boxes > 0 and self._boxes[action] >= boxes:
            return False
        return self.unmet(action) == []

    def _all_hold(self, needs: list[dict[str, Any]]) -> bool:
        return all(self._holds(need) for need in needs)

    def _holds(self, need: dict[str, Any]) -> bool:
        if need["needs"] == "act":
            return within(need, self.act)
        if need["needs"] == "alive":
            return need["persona"] not in self._dead
        if need["needs"] == "dead":
            return need["persona"] in self._dead
        # HP-8: everything else, turned round or not, needs all whom it names alive.
        if any(persona_of(ref) in self._dead for ref in refs_in(need)):
            return False
        return self._is_so(need) != need.get("not", False)

    def _is_so(self, need: dict[str, Any]) -> bool:
        match need["needs"]:
            case "status":
                return need["status"] in self._statuses
            case "place":
                persona, place = need["place"].split(".")
                return self._places[persona] == place
            case "track":
                return within(need, self._tracks[need["track"]])
            case "counter":
                return need["counter"] in self._counters
            case "box":
                return within(need, self._boxes[need["action"]])
            case "compare":
                return self._tracks[need["higher"]] > self._tracks[need["lower"]]
            case "together":
                return len({self._places[persona] for persona in need["personae"]}) == 1
            case _:
                raise ValueError(f"unknown requirement {need}")

    def _apply(self, results: list[dict[str, Any]], own: str, dice: Dice) -> None:
        """HP-9: in order. `own` is the action whose results these are, "" in the tables."""
        for result in results:
            match result["does"]:
                case "roll":
                    face = dice()  # HP-1: rolled even when nothing can come of it
                    for case in result["cases"]:
                        if face in case["faces"]:
                            self._apply(case.get("results", []), own, dice)
                case "roll-against":
                    if persona_of(result["track"]) not in self._dead:
                        greater = dice() > self._tracks[result["track"]]
                        chosen = "above" if greater else "otherwise"
                        self._apply(result.get(chosen, []), own, dice)
                case "duel":
                    self._duel(result, own, dice)
                case "when":
                    so = self._all_hold(result.get("requires", []))
                    chosen = "results" if so else "otherwise"
                    self._apply(result.get(chosen, []), own, dice)
                case _:
                    self._change(result, own)

    def _duel(self, result: dict[str, Any], own: str, dice: Dice) -> None:
        if {persona_of(result["first"]), persona_of(result["second"])} & self._dead:
            return
        first = dice() + self._tracks[result["first"]]
        second = dice() + self._tracks[result["second"]]
        outcome = "first_wins" if first > second else "second_wins" if second > first else "tie"
        self._apply(result.get(outcome, []), own, dice)

    def _change(self, result: dict[str, Any], own: str) -> None:
        """A result that changes one persona's card; on a dead one it alone is void (HP-9)."""
        thing = (refs_in(result) or [own])[0]  # `check-box` without `action` means its own
        if persona_of(thing) in self._dead:
            return
        match result["does"]:
            case "check-box":
                boxes = self._actions[thing].get("boxes", 0)
                self._boxes[thing] = min(self._boxes[thing] + 1, boxes)
            case "check-status":
                self._statuses.add(thing)
            case "move-track":
                bar = self._bars[thing]
                to = self._tracks[thing] + result["by"]
                self._tracks[thing] = max(bar["min"], min(bar["max"], to))
            case "set-track":
                self._tracks[thing] = result["to"]
            case "move":
                self._places[persona_of(thing)] = thing.split(".")[1]
            case "place-counter":
                self._counters.add(thing)  # HP-3: one of each, twice is once
            case "remove-counter":
                self._counters.discard(thing)
            case "kill":
                self._die(thing)
            case _:
                raise ValueError(f"unknown result {result}")

    def _die(self, persona: str) -> None:
        self._dead.add(persona)
        self._counters -= {f"{persona}.spying", f"{persona}.dying"}  # HP-3

    def take(self, action: str, choice: str | None, dice: Dice) -> None:
        if (action, choice) not in self.legal():
            raise ValueError(f"not legal now: {action}, {choice}")
        self._taken.append(action)
        self._apply(self._actions[action].get("results", []), action, dice)
        for option in self._actions[action].get("choose", []):
            if option["id"] == choice:
                self._apply(option.get("results", []), action, dice)
        table = ACTIONS_FOR_TWO_OR_THREE if self.seats <= 3 else ACTIONS_FOR_FOUR_OR_MORE
        if len(self._taken) == table[self.act - 1]:
            self._end_scene(dice)
        self._end_if_nothing_is_possible()  # HP-11: only when all that ends has ended

    def _end_scene(self, dice: Dice) -> None:
        self._apply_rows(self.cards["end_of_scene"], dice)  # HP-4
        self._taken = []
        if self.scene < self.seats:
            self.scene += 1
        else:
            self._end_act(dice)

    def _apply_rows(self, rows: list[dict[str, Any]], dice: Dice) -> None:
        for row in rows:
            if self._all_hold(row.get("requires", [])):
                self._apply(row.get("results", []), "", dice)

    def _end_act(self, dice: Dice) -> None:
        for persona in [p for p in self.cards["personae"] if f"{p}.dying" in self._counters]:
            self._die(persona)  # HP-10
        self._apply_rows(self.cards["end_of_act"], dice)
        everybody = self._all_hold(self.cards["common"])
        for seat in range(self.seats):
            if everybody or self._all_hold(self.cards["endings"][self.endings[seat]]):
                self._winners.append(seat)  # HP-6
        if self._winners:
            self.reason = "endings"
        elif self.act == 5:
            self.reason = "act-five"
        else:
            self.first_player = (self.first_player + 1) % self.seats
            self.act += 1
            self.scene = 1

    def _end_if_nothing_is_possible(self) -> None:
        if not self.over() and self.legal() == set():
            self.reason = "no-action"  # HP-2: a draw, and nothing more happens
