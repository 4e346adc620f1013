"""The draws of Hamlet! and the course they stand in, from docs/fairness.md alone (§18)."""

from collections.abc import Mapping
from typing import Any

from tests.games.hamlet_play.cardset import held, pack_of, stage
from tests.independent.scheme import Entry, Log, Unsupported, below, need, same, shuffle, words

NAME = "hamlet_play"
STAGE, ENDINGS, FIRST, DIE = (
    f"{NAME}.{kind}" for kind in ("stage-set", "endings-dealt", "first-player-drawn", "die-rolled")
)
SEALED = {ENDINGS: [("endings", "each, to the end")]}
LINKED = {FIRST, DIE}
DEALS = set[str]()
EVENTS = {
    "hamlet_play.stage-set": "boxes card_set digest personae places tracks",
    "hamlet_play.endings-dealt": "common endings",
    "hamlet_play.first-player-drawn": "draw first_player goes_on",
    "hamlet_play.action-taken": "act scene number seat answers action choice goes_on",
    "hamlet_play.die-rolled": "cause draw face goes_on kind track value",
    "hamlet_play.track-moved": "cause goes_on track before after",
    "hamlet_play.status-checked": "cause goes_on status",
    "hamlet_play.box-checked": "cause goes_on action checked",
    "hamlet_play.counter-placed": "cause goes_on counter",
    "hamlet_play.counter-removed": "cause goes_on counter",
    "hamlet_play.persona-moved": "cause goes_on before after",
    "hamlet_play.persona-died": "cause goes_on persona",
    "hamlet_play.scene-ended": "act scene seat goes_on",
    "hamlet_play.act-ended": "act winners common first_player goes_on",
    "hamlet_play.play-stopped": "act scene seat taken reason",
}
NEXT = {"game.started": STAGE, STAGE: ENDINGS, ENDINGS: FIRST}
ACTS = 5
SCRIPT = {"deals": 1, "first_deal": 1}
Keys = Mapping[Any, bytes]


class Course:
    """Act and Scene, as far as the entries tell them. Whether a fact was due is for the rules."""

    def __init__(self, seats: int) -> None:
        self.seats, self.first = seats, 0
        self.act, self.scene, self.taken, self.dice = 0, 1, 0, 0
        self.over = False

    @property
    def owed(self) -> int:
        """How many actions a Scene of this Act takes."""
        return ((2, 3, 3, 3, 4) if self.seats <= 3 else (1, 2, 2, 2, 3))[self.act - 1]

    @property
    def place(self) -> dict[str, Any]:
        seat = (self.first + self.scene - 1) % self.seats
        return {"act": self.act, "scene": self.scene, "seat": seat}

    def die(self) -> str:
        """The purpose of the next die."""
        self.dice += 1
        where = f"s{self.scene}" if self.scene <= self.seats else "end"
        return f"a{self.act}.{where}.die{self.dice}"

    def goes_on(self, entry: Entry) -> None:
        kind, data = entry.type.removeprefix(f"{NAME}."), entry.data
        expect(not self.over, "the game is over")
        if kind == "first-player-drawn":
            self.act, self.first = 1, data["first_player"]
            return
        expect(self.act > 0, "before First Player is drawn")
        match kind:
            case "action-taken":
                self.taken += 1
                asked = f"a{self.act}.s{self.scene}.x{self.taken}"
                states(data, self.place | {"number": self.taken, "answers": asked})
                expect(self.scene <= self.seats and self.taken <= self.owed, "one action too many")
            case "scene-ended":
                states(data, self.place)
                expect(self.scene <= self.seats and self.taken == self.owed, "a Scene ends early")
                self.scene, self.taken, self.dice = self.scene + 1, 0, 0
            case "act-ended":
                self.act_ends(data)
            case "play-stopped":
                states(data, self.place | {"taken": self.taken})
                expect(self.scene <= self.seats, "stopped at the end of an Act")
                self.over = True
            case _:
                expect(self.taken > 0 or self.scene > self.seats, "before any action")

    def act_ends(self, data: dict[str, Any]) -> None:
        expect(self.scene == self.seats + 1, "an Act ends early")
        self.over = data["winners"] != [] or self.act == ACTS
        following = None if self.over else (self.first + 1) % self.seats
        states(data, {"act": self.act, "first_player": following})
        self.act, self.first = self.act + 1, following or 0
        self.scene, self.dice = 1, 0


def expect(holds: object, why: str) -> None:
    need(holds, f"the course: {why}")


def states(data: dict[str, Any], due: dict[str, Any]) -> None:
    for name, value in due.items():
        expect(same(data[name], value), name)


def check_order(before: Entry, entry: Entry) -> None:
    """The stage, the endings and First Player in their order, and `goes_on` as it is."""
    due = NEXT.get(before.type)
    finished = entry.type == "game.finished"  # too early or not: for the rules to say
    expect(due is None or entry.type == due or finished, f"no {due}")
    expect(entry.type not in NEXT.values() or entry.type == due, f"{entry.type} is not due")
    need(entry.type != "game.deal-revealed", "there is no secret draw")
    need(entry.type.partition(".")[0] in ("game", NAME), "of another rule set")
    if "goes_on" in before.data:
        same_command = entry.public["command"] == before.public["command"]
        more = same_command and entry.type.startswith(f"{NAME}.")
        expect(same(before.data["goes_on"], more), "goes_on")


def check(log: Log, keys: Keys, sets: Mapping[str, dict[str, Any]]) -> None:
    play = Play(log, keys, sets)
    before = log[0]
    for entry in log:
        if entry is not before:
            check_order(before, entry)
        play.goes_on(entry)
        before = entry
    if play.needs_set and play.cards is None:
        raise Unsupported(f"the card set {play.options['card_set']} is not given")


class Play:
    """One log, entry by entry, with every draw redone whose key is out."""

    def __init__(self, log: Log, keys: Keys, sets: Mapping[str, dict[str, Any]]) -> None:
        opened = log[0].data
        self.log, self.keys, self.options = log, keys, opened["options"]
        self.seats, self.scripted = len(opened["seats"]), opened["script"] is not None
        self.cards = self.chosen(sets)
        self.course, self.tracks = Course(self.seats), dict[str, Any]()
        self.number, self.entropy, self.needs_set = 0, list[str | None](), False

    def chosen(self, sets: Mapping[str, dict[str, Any]]) -> dict[str, Any] | None:
        """The set that the options name; its digest was taken by whoever gave it."""
        cards = sets.get(self.options["card_set_digest"])
        if cards is None or f"{cards['name']}@{cards['version']}" != self.options["card_set"]:
            return None
        return cards

    def goes_on(self, entry: Entry) -> None:
        data = entry.data
        if entry.type == "game.started":
            self.entropy = data["entropy"]
        elif entry.type == STAGE:
            self.check_stage(data)
        elif entry.type == ENDINGS:
            self.check_endings(entry)
        elif entry.type.startswith(f"{NAME}."):
            if entry.type == FIRST:
                self.check_first(data)
            elif entry.type == DIE:
                self.check_die(data)
            elif entry.type == f"{NAME}.track-moved":
                self.tracks[data["track"]] = data["after"]
            self.course.goes_on(entry)

    def check_stage(self, data: dict[str, Any]) -> None:
        stated = {"card_set": data["card_set"], "card_set_digest": data["digest"]}
        need(same(self.options, self.options | stated), "not the card set of the options")
        self.needs_set = True
        self.tracks = {track: laid["start"] for track, laid in data["tracks"].items()}
        if self.cards is not None:
            due = stage(self.cards)
            need(same({name: data[name] for name in due}, due), "not as the set begins")

    def script(self) -> dict[str, Any] | None:
        """The item, where there is one and it is out."""
        if not self.scripted:
            return None
        need(same(self.log[0].data["script"], SCRIPT), "script")
        path = "/scripted_deals/0"
        if path not in self.log[0].known and not self.log.finished:
            return None
        item: dict[str, Any] = self.log[0].known[path][1]
        need(set(item) == {"dice", "endings", "first_player"}, "script")
        return item

    def check_endings(self, entry: Entry) -> None:
        item = self.script()
        if self.cards is None or not self.log.finished:
            return
        pack = {ending["id"]: ending for ending in pack_of(self.cards, self.options["endings"])}
        if item is None:
            key, place = self.keys["game"], (self.log.game, "endings", self.entropy)
            order = shuffle(list(pack), words(key, *place, tag="secret-draw"))[: self.seats]
        else:
            order = item["endings"]
            need(len(set(order)) == len(order) == self.seats, "scripted endings")
        for seat, name in enumerate(order):
            found = entry.known[f"/endings/{seat}"][1]
            need(same(found, pack[name]), f"not the ending of seat {seat} that had to come")
        need(same(entry.data["common"], held(self.cards["endings"]["common"])), "common ending")

    def check_first(self, data: dict[str, Any]) -> None:
        item, draw = self.script(), data["draw"]
        first = data["first_player"]
        need(type(first) is int and 0 <= first < self.seats, "first_player")
        self.check_draw(draw, "first-player", scripted=self.scripted)
        if not self.scripted:
            written = below(self.seats, self.words(draw))
        else:
            written = first if item is None else item["first_player"]
        need(same(first, written), "not the First Player that had to come")

    def check_die(self, data: dict[str, Any]) -> None:
        item, draw, purpose = self.script(), data["draw"], self.course.die()
        scripted = draw.get("scripted") is True
        if item is not None or not self.scripted:
            scripted = item is not None and purpose in item["dice"]
        self.check_draw(draw, purpose, scripted=scripted)
        need(type(data["face"]) is int and 1 <= data["face"] <= 6, "face")
        face = below(6, self.words(draw)) + 1
        if scripted:
            face = data["face"] if item is None else item["dice"][purpose]
        need(same(data["face"], face), "not the face that had to come")
        on_track = data["kind"] in ("roll-against", "duel")
        need(on_track or data["kind"] == "roll", "kind of a die")
        need(on_track == (data["track"] is not None), "track of a die")
        value = self.tracks[data["track"]] if on_track else None
        need(same(data["value"], value), "not where the track stands")

    def check_draw(self, draw: dict[str, Any], purpose: str, *, scripted: bool) -> None:
        self.number += 1
        link = self.keys[self.number].hex()
        due: dict[str, Any] = {"number": self.number, "purpose": purpose, "link": link}
        need(same(draw, due | ({"scripted": True} if scripted else {})), "draw")

    def words(self, draw: dict[str, Any]) -> Any:
        place = (self.log.game, draw["purpose"], self.entropy)
        return words(self.keys[draw["number"]], *place)
