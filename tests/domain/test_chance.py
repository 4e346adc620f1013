import ast
import itertools
import sys
from collections import Counter
from pathlib import Path

import pytest

import domain
from domain.card_games.cards import FRENCH
from domain.chance import CHAIN_LENGTH, Chain, ChainChance, below, permuted, words
from domain.hashing import digest

CHAIN = Chain.derive("g", bytes(range(32)))
SOURCES = sorted(Path(domain.__file__).parent.rglob("*.py"))
NEVER = {"random", "secrets", "time", "datetime", "uuid", "os", "logging", "threading"}


SCRIPT = {"die": 6, "who": 2, "deck": "cab", "endings": "ba"}


def draw(number: int, *entropy: bytes, chain: Chain = CHAIN) -> ChainChance:
    return ChainChance(chain, number, entropy, dict)


def test_every_link_checks_against_the_one_before_by_one_hash() -> None:
    assert len(CHAIN.links) == CHAIN_LENGTH + 1
    assert CHAIN.root == bytes(range(32))
    assert CHAIN.commitment == CHAIN.links[0]
    for before, link in itertools.pairwise(CHAIN.links):
        assert before == digest("link", "g", link)


def test_the_links_are_not_in_the_text_of_a_chain() -> None:
    assert CHAIN.root.hex() not in repr(CHAIN)
    assert repr(CHAIN.root) not in repr(CHAIN)


def test_the_same_draw_gives_the_same_result_and_any_difference_another() -> None:
    deal = draw(1, b"a", b"b").shuffle("d1.deal", FRENCH.codes)
    assert draw(1, b"a", b"b").shuffle("d1.deal", FRENCH.codes) == deal
    others = [
        draw(2, b"a", b"b").shuffle("d1.deal", FRENCH.codes),
        draw(1, b"a", b"c").shuffle("d1.deal", FRENCH.codes),
        draw(1, b"ab", b"").shuffle("d1.deal", FRENCH.codes),
        draw(1, b"a", b"b").shuffle("d2.deal", FRENCH.codes),
        draw(1, b"a", b"b", chain=Chain.derive("h", CHAIN.root)).shuffle("d1.deal", FRENCH.codes),
    ]
    assert deal[0] not in [order for order, _ in others]


def test_a_shuffle_keeps_its_link_and_a_public_result_shows_it() -> None:
    _, hidden = draw(3).shuffle("x", FRENCH.codes)
    _, shown = draw(3).die("x")
    assert (hidden.number, hidden.link) == (3, None)
    assert shown.link == CHAIN.links[3].hex()


def test_a_scripted_draw_has_the_result_written_down_and_takes_its_link() -> None:
    chance = ChainChance(CHAIN, 4, (), lambda: SCRIPT)
    assert chance.die("die")[0] == 6
    assert chance.pick("who", 3)[0] == 2
    assert chance.secret_shuffle("endings", "ab") == ("b", "a")
    order, made = chance.shuffle("deck", "abc")
    assert order == ("c", "a", "b")
    assert (made.number, made.scripted) == (4, True)


def test_d02_each_order_of_three_cards_comes_equally_often() -> None:
    orders = Counter(permuted("abc", words(b"key", "draw", n)) for n in range(60_000))
    assert len(orders) == 6
    assert all(abs(count - 10_000) <= 400 for count in orders.values())


def test_d02_a_word_that_would_favour_some_residues_is_thrown_away() -> None:
    first_biased = 2**32 - 2**32 % 10
    assert below(10, iter([first_biased, 2**32 - 1, 17])) == 7
    assert below(10, iter([first_biased - 1])) == (first_biased - 1) % 10
    assert below(2**31, iter([2**32 - 1])) == 2**31 - 1


def test_d02_dice_and_picks_come_equally_often() -> None:
    faces = Counter(draw(n % CHAIN_LENGTH + 1).die(f"die{n}")[0] for n in range(12_000))
    assert sorted(faces) == [1, 2, 3, 4, 5, 6]
    assert all(abs(count - 2_000) <= 200 for count in faces.values())
    assert {draw(1).pick(f"p{n}", 3)[0] for n in range(100)} == {0, 1, 2}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_d04_the_domain_imports_nothing_but_the_pure_standard_library_and_msgspec(
    source: Path,
) -> None:
    allowed = (set(sys.stdlib_module_names) - NEVER) | {"domain", "msgspec"}
    for node in ast.walk(ast.parse(source.read_text())):
        match node:
            case ast.Import(names=names):
                roots = {name.name.split(".")[0] for name in names}
            case ast.ImportFrom(module=str(module), level=0):
                roots = {module.split(".")[0]}
            case ast.ImportFrom():
                roots = {"."}
            case _:
                continue
        assert roots <= allowed


def test_d04_draws_of_one_game_are_not_alike() -> None:
    orders = [draw(n).shuffle("deal", FRENCH.codes)[0] for n in range(1, 301)]
    alike = [sum(a == b for a, b in zip(x, y, strict=True)) for x, y in itertools.pairwise(orders)]
    assert 0.7 < sum(alike) / len(alike) < 1.3


def test_d06_the_commitment_does_not_foretell_the_deal() -> None:
    alike = 0
    for n in range(300):
        chain = Chain.derive(f"g{n}", n.to_bytes(32, "big"), 2)
        real, _ = draw(1, b"a", chain=chain).shuffle("d1.deal", FRENCH.codes)
        told = permuted(FRENCH.codes, words(chain.commitment, "draw", f"g{n}", "d1.deal", b"a"))
        alike += sum(a == b for a, b in zip(real, told, strict=True))
    assert 0.7 < alike / 300 < 1.3


def test_d08_a_secret_order_is_of_the_root_and_of_no_draw() -> None:
    orders = {draw(n).secret_shuffle("endings", FRENCH.codes) for n in (1, 2, 3)}
    assert len(orders) == 1
    assert draw(1).shuffle("endings", FRENCH.codes)[0] not in orders


def test_a_script_is_worked_out_only_when_a_draw_asks_for_it() -> None:
    read: list[str] = []

    def script() -> dict[str, int]:
        read.append("read")
        return {"die": 6}

    chance = ChainChance(CHAIN, 4, (), script)
    assert read == []
    assert chance.die("die")[0] == 6
    assert not chance.die("other")[1].scripted
    assert read
