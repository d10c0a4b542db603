"""Ask OpenAI-compatible endpoints for their list of models: whether they are there, take the key and have the model."""

from collections.abc import Mapping
from urllib.parse import urlsplit

import httpx2

from planloom.models.endpoint import OPENROUTER, Endpoint
from planloom.settings import EndpointSettings

SECONDS = 5.0


def check_endpoints(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what each endpoint that *environment* sets up says, by profile or provider, for people."""
    told = EndpointSettings.read(environment)
    endpoints = {
        "custom": Endpoint(told.base_url, told.api_key, told.model),
        "openrouter": Endpoint(told.openrouter_url or OPENROUTER, told.openrouter_key, "any"),
    }
    asked = {name: each for name, each in endpoints.items() if each.lacks() is None}
    if not told.openrouter_key:
        asked.pop("openrouter", None)
    return {name: _said(endpoint, any_model=name == "openrouter") for name, endpoint in asked.items()}


def _said(endpoint: Endpoint, any_model: bool) -> str:
    headers = {"authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    try:
        answer = httpx2.get(f"{endpoint.url.rstrip('/')}/models", headers=headers, timeout=SECONDS)
    except httpx2.HTTPError as error:
        # without a name and password that the URL may hold
        where = urlsplit(endpoint.url).netloc.rpartition("@")[2]
        return f"does not answer at {where} ({type(error).__name__}): is it running, and is this its address?"
    if answer.status_code in (401, 403):
        return f"rejects the key (HTTP {answer.status_code})"
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
