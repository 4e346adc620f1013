"""English or Japanese, by Accept-Language; an answer that has both says which one it is in."""

from flask import Response, has_request_context, request

from service.problems.titles_ja import Language

LANGUAGES: tuple[Language, ...] = ("en", "ja")


def preferred() -> Language:
    """The language the caller would rather read; English where they do not say."""
    if not has_request_context():
        return "en"
    for tag, quality in request.accept_languages:
        for language in LANGUAGES:
            if quality > 0 and tag.partition("-")[0].lower() == language:
                return language
    return "en"


def spoken(response: Response, *languages: Language) -> Response:
    """Says what an answer is written in, and that it depends on what was asked for."""
    response.headers["Content-Language"] = ", ".join(dict.fromkeys(languages))
    response.vary.add("Accept-Language")
    return response
