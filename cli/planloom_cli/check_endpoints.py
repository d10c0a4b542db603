"""Checks OpenAI-compatible endpoints: do they answer, accept the key and have the model?"""

from collections.abc import Mapping
from urllib.parse import urlsplit

import httpx2

from planloom.models.endpoint import OPENROUTER, Endpoint
from planloom.settings import EndpointSettings

SECONDS = 5.0


def check_endpoints(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the result for each endpoint in *environment*, by profile or provider, as text."""
    settings = EndpointSettings.read(environment)
    endpoints = {
        "custom": Endpoint(settings.base_url, settings.api_key, settings.model),
        "openrouter": Endpoint(settings.openrouter_url or OPENROUTER, settings.openrouter_key, "any"),
    }
    usable = {name: each for name, each in endpoints.items() if each.lacks() is None}
    if not settings.openrouter_key:
        usable.pop("openrouter", None)
    return {name: _check(endpoint, any_model=name == "openrouter") for name, endpoint in usable.items()}


def _check(endpoint: Endpoint, any_model: bool) -> str:
    headers = {"authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    try:
        answer = httpx2.get(f"{endpoint.url.rstrip('/')}/models", headers=headers, timeout=SECONDS)
    except httpx2.HTTPError as error:
        # without the user name and password that the URL may contain
        where = urlsplit(endpoint.url).netloc.rpartition("@")[2]
        return f"does not answer at {where} ({type(error).__name__}): check that it runs and that the URL is right"
    if answer.status_code in (401, 403):
        return f"rejects the API key (HTTP {answer.status_code}): check the key"
    if answer.status_code != 200:
        hint = ": most URLs end in /v1" if answer.status_code == 404 else ""
        return f"answers, but lists no models (HTTP {answer.status_code}){hint}"
    names = _names(answer)
    if any_model or not names:
        return "answers"
    return "answers, and has the model" if endpoint.model in names else f"answers, but lists no '{endpoint.model}'"


def _names(answer: httpx2.Response) -> set[str]:
    try:
        listed = answer.json()["data"]
        return {str(model["id"]) for model in listed}
    except (ValueError, KeyError, TypeError):
        return set()
