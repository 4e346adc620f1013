"""The settings: each is read from one variable, and refused by its name."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from service.settings import InvalidSetting, Settings

NAMES = {setting.metadata["name"]: setting.name for setting in fields(Settings)}


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_variable_is_as_none(name: str) -> None:
    assert Settings.read({name: ""}) == Settings()


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("REDIS_URL", "redis://localhost:1", "redis://localhost:1"),
        ("ELSINORE_DATA", "here", Path("here")),
        ("ELSINORE_BIND", "unix:api.sock", "unix:api.sock"),
        ("ELSINORE_API_PROCESSES", "3", 3),
        ("ELSINORE_CORS_ORIGINS", " http://a  http://b ", {"http://a", "http://b"}),
        ("ELSINORE_CORS_ORIGINS", "* app://x http://[::1]:81", {"*", "app://x", "http://[::1]:81"}),
        ("ELSINORE_PATH_PREFIX", "/games/elsinore", "/games/elsinore"),
        ("ELSINORE_TRUSTED_PROXIES", "2", 2),
        ("ELSINORE_KEEPALIVE_SECONDS", "620", 620.0),
        ("ELSINORE_SEND_SECONDS", "0.5", 0.5),
        ("ELSINORE_ALLOW_VOLATILE", "Yes", True),
        ("ELSINORE_ALLOW_VOLATILE", "no", False),
        ("ELSINORE_CARDSETS", ".", Path()),
        ("ELSINORE_LOG_LEVEL", "DEBUG", "debug"),
    ],
)
def test_a_variable_changes_its_own_setting_alone(name: str, text: str, value: Any) -> None:
    settings = Settings.read({name: text})

    assert getattr(settings, NAMES[name]) == value
    others = [setting.name for setting in fields(Settings) if setting.name != NAMES[name]]
    assert all(getattr(settings, other) == getattr(Settings(), other) for other in others)


def test_e09_connections_outlive_a_balancer_by_default() -> None:
    assert Settings().keepalive > 60


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("REDIS_URL", "http://localhost"),
        ("ELSINORE_API_PROCESSES", "0"),
        ("ELSINORE_CORS_ORIGINS", "https://a.example/"),
        ("ELSINORE_CORS_ORIGINS", "https://a.example https://B.example"),
        ("ELSINORE_CORS_ORIGINS", "https://a.example:443"),
        ("ELSINORE_CORS_ORIGINS", "https://a.example,https://b.example"),
        ("ELSINORE_CORS_ORIGINS", "a.example"),
        ("ELSINORE_CORS_ORIGINS", "null"),
        ("ELSINORE_PATH_PREFIX", "games"),
        ("ELSINORE_PATH_PREFIX", "/games/"),
        ("ELSINORE_PATH_PREFIX", "/"),
        ("ELSINORE_BODY_LIMIT", "64 KiB"),
        ("ELSINORE_HEARTBEAT_SECONDS", "0.0"),
        ("ELSINORE_SEND_SECONDS", "1e3"),
        ("ELSINORE_LIMIT_MOVES", "many"),
        ("ELSINORE_ALLOW_VOLATILE", "perhaps"),
        ("ELSINORE_CARDSETS", "no/such/directory"),
        ("ELSINORE_LOG_LEVEL", "loud"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_name(name: str, text: str) -> None:
    with pytest.raises(InvalidSetting, match=f"^{name} is "):
        Settings.read({name: text})
